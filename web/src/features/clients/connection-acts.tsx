import { Copy, Ellipsis, Eraser, Mail, Unplug } from "lucide-react"
import { useState } from "react"
import { toastError } from "@/parts/toast-error"
import { Button, IconButton } from "@/ui/button"
import { confirm } from "@/ui/overlay/confirm"
import { Field } from "@/ui/form/fields"
import { ButtonMenu } from "@/ui/overlay/menu"
import { toast } from "@/ui/overlay/toast"
import { type ClientConnection, type ConnectionAct, useConnectLink } from "./connection-queries"
import { sendConnectLink } from "./send-connect-link"

interface ConnectionActsProps {
  clientId: string
  name: string
  connection: ClientConnection
  onAct: (act: ConnectionAct) => void
}

/** What staff can do about a client's connection: send or copy a link, end the session, forget the ID. */
export function ConnectionActs({ clientId, name, connection, onAct }: ConnectionActsProps) {
  const link = useConnectLink()
  const [shownLink, setShownLink] = useState<string | null>(null)
  const isOn = connection.state === "CONNECTED"
  const copy = () =>
    link.mutate(
      { clientId, send: false },
      {
        onSuccess: ({ url }) =>
          void copied(url).then((isCopied) => setShownLink(isCopied ? null : url)),
        onError: toastError,
      },
    )
  const ask = async (act: ConnectionAct, title: string, text: string, word: string) => {
    if (await confirm({ title, text, act: word })) onAct(act)
  }
  const entries = [
    {
      label: "Copy a link",
      icon: <Copy size={15} />,
      disabled: !connection.canConnect,
      onSelect: copy,
    },
    ...(isOn || connection.state === "AWAITING"
      ? [
          {
            label: "End session",
            icon: <Unplug size={15} />,
            onSelect: () =>
              void ask(
                "end",
                `End ${name}’s session?`,
                "The session ends here and at the broker. The client needs a new link to log in again.",
                "End session",
              ),
          },
        ]
      : []),
    ...(connection.userBrokerId !== ""
      ? [
          {
            label: "Forget ID",
            icon: <Eraser size={15} />,
            onSelect: () =>
              void ask(
                "forget-id",
                `Forget ${connection.userBrokerId}?`,
                "Use this when the client changes the broker or the broker account. The session ends, and you confirm the ID at the next login.",
                "Forget ID",
              ),
          },
        ]
      : []),
  ]
  return (
    <>
      {shownLink !== null && (
        <Field
          aria-label="Connect link"
          readOnly
          value={shownLink}
          onFocus={(event) => event.target.select()}
        />
      )}
      {connection.state === "LOGGED_OUT" && (
        <Button
          icon={<Mail size={15} />}
          disabled={!connection.canConnect}
          isBusy={link.isPending}
          onClick={() =>
            void sendConnectLink(name, () => link.mutateAsync({ clientId, send: true }))
          }
        >
          Send connect link
        </Button>
      )}
      <ButtonMenu
        label="More about the connection"
        button={
          <IconButton
            framed
            label="More about the connection"
            icon={<Ellipsis size={16} />}
            aria-haspopup="menu"
          />
        }
        entries={entries}
      />
    </>
  )
}

/** True once the link is in the clipboard; where that is closed, the link is shown instead. */
async function copied(url: string | null): Promise<boolean> {
  if (url === null) return true
  try {
    await navigator.clipboard.writeText(url)
  } catch {
    toast.info("Copy the link from the field", {
      detail: "The browser does not let this page write to the clipboard.",
    })
    return false
  }
  toast.success("Link copied", { detail: "It works once, for two days." })
  return true
}
