import { useQuery } from "@tanstack/react-query"
import { Copy, Link2, MessageCircle, Send } from "lucide-react"
import { useState } from "react"
import { api, dataOf } from "@/api/client"
import { firmQuery } from "@/api/shared-queries"
import { date, dateTime } from "@/lib/dates"
import { Button } from "@/ui/button"
import { Field } from "@/ui/form/fields"
import { Actions } from "@/ui/overlay/confirm"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { LinkButton } from "@/ui/link-button"
import {
  messageWith,
  telegramAddress,
  useMakeAdviceLink,
  useNoteHandedOver,
  whatsAppAddress,
} from "./advice-link"
import styles from "./advice-link.module.css"
import type { ActedAdvice } from "./follow-up"
import { toastError } from "./toast-error"

interface AdviceLinkDialogProps {
  row: ActedAdvice
  onClose: () => void
}

/** Makes the client's link to an advice, copies it, and opens the analyst's own messenger with it. */
export function AdviceLinkDialog({ row, onClose }: AdviceLinkDialogProps) {
  const make = useMakeAdviceLink()
  const [isCopied, setIsCopied] = useState(false)
  const link = make.data
  const copy = async (url: string) => setIsCopied(await copied(url))
  const start = () =>
    make.mutate(row._id, { onSuccess: ({ url }) => void copy(url), onError: toastError })
  return (
    <Modal title={`Client link: ${row.name}`} isOpen onClose={onClose} width={520}>
      {link ? (
        <div className={styles.made}>
          <Field
            label="Link"
            readOnly
            data-autofocus
            value={link.url}
            description={`Works until ${dateTime(link.expiresAt)}. A code mailed to the client opens the advice.`}
            onFocus={(event) => event.target.select()}
          />
          <div className={styles.ways}>
            <Button icon={<Copy size={15} />} onClick={() => void copy(link.url)}>
              {isCopied ? "Copied" : "Copy link"}
            </Button>
            <Messengers row={row} url={link.url} />
          </div>
          <p className={styles.hint}>
            WhatsApp and Telegram open your own app. The message has your registered name and number
            and the link, no stocks.
          </p>
          <Actions>
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </Actions>
        </div>
      ) : (
        <div className={styles.made}>
          <p>
            A new link to the advice of {date(row.sentAt)}. Earlier links to it stop working, also
            the one in the client’s mail.
          </p>
          <Actions>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              kind="primary"
              data-autofocus
              icon={<Link2 size={15} />}
              isBusy={make.isPending}
              onClick={start}
            >
              Create and copy link
            </Button>
          </Actions>
        </div>
      )}
    </Modal>
  )
}

/** Links that open the analyst's own messenger; nothing is sent by the product. */
function Messengers({ row, url }: { row: ActedAdvice; url: string }) {
  const clientId = row.userId
  const note = useNoteHandedOver()
  const { data: firm } = useQuery(firmQuery)
  const { data: client } = useQuery({
    queryKey: ["clients", clientId, "profile"],
    queryFn: () =>
      dataOf(
        api.GET("/admin/clients/client/{client_id}/profile", {
          params: { path: { client_id: clientId } },
        }),
      ),
  })
  if (!firm) return null
  const phone = client?.contactNumber ? `${client.countryCode}${client.contactNumber}` : ""
  return (
    <>
      <LinkButton
        href={whatsAppAddress(phone, messageWith(url, firm))}
        icon={<MessageCircle size={15} />}
        onClick={() => note.mutate({ adviceId: row._id, messenger: "WHATSAPP" })}
      >
        WhatsApp
      </LinkButton>
      <LinkButton
        href={telegramAddress(url, firm)}
        icon={<Send size={15} />}
        onClick={() => note.mutate({ adviceId: row._id, messenger: "TELEGRAM" })}
      >
        Telegram
      </LinkButton>
    </>
  )
}

/** True once the link is in the clipboard; where that is closed, it is copied from the field. */
async function copied(url: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(url)
  } catch {
    toast.info("Copy the link from the field", {
      detail: "The browser does not let this page write to the clipboard.",
    })
    return false
  }
  toast.success("Link copied")
  return true
}
