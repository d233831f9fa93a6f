import { ChevronDown } from "lucide-react"
import { IconButton } from "@/ui/button"

interface OpenButtonProps {
  /** What the row is called. */
  name: string | undefined
  isOpen: boolean
  /** The id of what it opens. */
  id?: string
  onToggle: () => void
}

/** Opens and closes the details of a row. */
export function OpenButton({ name = "this row", isOpen, id, onToggle }: OpenButtonProps) {
  return (
    <IconButton
      label={`${isOpen ? "Hide" : "Show"} details of ${name}`}
      icon={<ChevronDown size={16} data-open={isOpen} />}
      aria-expanded={isOpen}
      aria-controls={isOpen ? id : undefined}
      onClick={onToggle}
    />
  )
}
