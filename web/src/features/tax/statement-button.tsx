import { useMutation } from "@tanstack/react-query"
import { FileText } from "lucide-react"
import { messageOf } from "@/api/client"
import { saveFile } from "@/lib/save-file"
import { Button } from "@/ui/button"
import { toast } from "@/ui/overlay/toast"
import { statementOf } from "./queries"

interface StatementButtonProps {
  clientId: string
  year: string
}

/** Has the statement of a tax year made as a PDF, and saves it. */
export function StatementButton({ clientId, year }: StatementButtonProps) {
  const statement = useMutation({
    mutationFn: () => statementOf(clientId, year),
    onSuccess: ({ content, name }) => saveFile(content, name),
    onError: (error) => toast.error(messageOf(error, "The statement could not be created.")),
  })
  return (
    <Button
      icon={<FileText size={15} />}
      isBusy={statement.isPending}
      onClick={() => statement.mutate()}
    >
      Statement
    </Button>
  )
}
