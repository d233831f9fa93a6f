import { useMutation } from "@tanstack/react-query"
import { Download } from "lucide-react"
import { useState } from "react"
import { percent } from "@/lib/format"
import { saveFile } from "@/lib/save-file"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { ofWhom } from "./pack-columns"
import { type Pack, packFile } from "./queries"

/** Fetches the file of a pack and hands it to the browser; says how far it is. */
export function DownloadPack({ pack }: { pack: Pack }) {
  const [share, setShare] = useState(0)
  const download = useMutation({
    mutationFn: () => packFile(pack, setShare),
    onMutate: () => setShare(0),
    onSuccess: ({ content, name }) => saveFile(content, name),
    onError: toastError,
  })
  return (
    <Button
      icon={<Download size={15} />}
      aria-label={`Download the pack of ${ofWhom(pack)}`}
      disabled={download.isPending}
      onClick={() => download.mutate()}
    >
      {download.isPending ? percent(share * 100) : "Download"}
    </Button>
  )
}
