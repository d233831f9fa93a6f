import { CalendarDays } from "lucide-react"
import type { ComponentProps } from "react"
import { IconButton } from "@/ui/button"

type CalendarButtonProps = Omit<ComponentProps<typeof IconButton>, "icon">

/** At the end of a field of days: opens the calendar. */
export const CalendarButton = (props: CalendarButtonProps) => (
  <IconButton icon={<CalendarDays size={15} />} aria-haspopup="dialog" {...props} />
)
