import { Loader } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { FileText } from "lucide-react"
import { messageOf } from "@/api/client"
import { saveFile } from "@/lib/save-file"
import { Button, IconButton } from "@/ui/button"
import { toast } from "@/ui/overlay/toast"
import { useIsPhone } from "@/ui/use-media"
import { reportOf } from "./queries"

const name = "Portfolio report"

/** Has the client's report made, and saves it. */
export function ReportButton({ clientId }: { clientId: string }) {
  const isPhone = useIsPhone()
  const report = useMutation({
    mutationFn: () => reportOf(clientId),
    onSuccess: ({ content, name: fileName }) => saveFile(content, fileName),
    onError: (error) => toast.error(messageOf(error, "The report could not be created.")),
  })
  const make = () => {
    if (!report.isPending) report.mutate()
  }
  if (isPhone) {
    return (
      <IconButton
        framed
        label={name}
        icon={report.isPending ? <Loader size={16} /> : <FileText size={16} />}
        aria-busy={report.isPending}
        onClick={make}
      />
    )
  }
  return (
    <Button icon={<FileText size={15} />} isBusy={report.isPending} onClick={make}>
      {name}
    </Button>
  )
}
