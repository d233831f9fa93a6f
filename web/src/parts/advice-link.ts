import { useMutation } from "@tanstack/react-query"
import { api, ApiError, dataOf, messageFrom, newIdempotencyKey } from "@/api/client"
import type { components } from "@/api/schema"

const pathOf = (adviceId: string) => ({ params: { path: { advice_id: adviceId } } })

/** Makes the link with which the client opens an advice; the links before it end. */
export const useMakeAdviceLink = () =>
  useMutation({
    mutationFn: async (adviceId: string) => {
      const { url, expiresAt } = await dataOf(
        api.POST("/admin/advice/{advice_id}/link", {
          ...pathOf(adviceId),
          headers: { "Idempotency-Key": newIdempotencyKey() },
        }),
      )
      if (url === null)
        throw new ApiError(410, "The link can no longer be shown. Create a new one.")
      return { url, expiresAt }
    },
  })

type Messenger = components["schemas"]["Messenger"]

/** Writes to the audit trail that a person opened a messenger with the link. */
export const useNoteHandedOver = () =>
  useMutation({
    mutationFn: ({ adviceId, messenger }: { adviceId: string; messenger: Messenger }) =>
      messageFrom(
        api.POST("/admin/advice/{advice_id}/link/handed-over", {
          ...pathOf(adviceId),
          body: { messenger },
        }),
      ),
  })

/** Ends the links of an advice. */
export const useEndAdviceLink = () =>
  useMutation({
    mutationFn: (adviceId: string) =>
      messageFrom(api.DELETE("/admin/advice/{advice_id}/link", pathOf(adviceId))),
  })

interface Sender {
  name: string
  registrationNumber: string
}

/** Who sends: the registered name and number, with which every message begins. */
const senderOf = ({ name, registrationNumber }: Sender) =>
  registrationNumber === "" ? name : `${name}, SEBI registration number ${registrationNumber}`

/** The message with a link; it never names a stock. */
export const messageWith = (url: string, sender: Sender) =>
  `${senderOf(sender)}. Your advice is here: ${url}`

/** Opens the analyst's own WhatsApp with the message; without a number it asks for the contact. */
export const whatsAppAddress = (phone: string, message: string) =>
  `https://wa.me/${phone.replace(/\D/g, "")}?text=${encodeURIComponent(message)}`

/** Opens the analyst's own Telegram with the message; the link is apart from the text there. */
export const telegramAddress = (url: string, sender: Sender) =>
  `https://t.me/share/url?url=${encodeURIComponent(url)}&text=${encodeURIComponent(
    `${senderOf(sender)}. Your advice is at this link.`,
  )}`
