import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect } from "react"
import { ApiError, networkMessage } from "@/api/client"
import { signedInQuery } from "@/api/shared-queries"
import { toastCentre } from "@/ui/overlay/toast"
import { clientLoading, draft, useDraft } from "./draft"
import { checkSavedDraft, dropSavedDraft, forgetSavedDrafts, useDraftSaving } from "./draft-saving"
import { type ClientHoldings, holdingsChange, rowsOf, withHoldings } from "./holdings"
import { clientHoldingsQuery } from "./queries"
import { rupeesOf, unitsOf } from "./targets"

const CODE = /^C\d{4}$/
export const isClientCode = (code: string) => CODE.test(code)

/** The typed text as a client code: a leading C, then at most four digits. */
export function asClientCode(text: string): string {
  const digits = text.replace(/\D/g, "").slice(0, 4)
  return digits !== "" || /^\s*c/i.test(text) ? `C${digits}` : ""
}

/** The draft of the signed-in person. */
export function useAdvice() {
  const { data: me } = useQuery(signedInQuery)
  const owner = me?.email
  useEffect(() => {
    if (owner === undefined) return
    const { owner: before } = draft.get()
    if (before !== null && before !== owner) forgetSavedDrafts()
    draft.claim(owner)
  }, [owner])
  useDraftSaving()
  return useDraft()
}

function fill(code: string, holdings: ClientHoldings) {
  const { user, totalCurrentValue, cash } = holdings
  draft.change({
    client: { id: user._id, name: user.name, code },
    investment: rupeesOf(unitsOf(totalCurrentValue) + unitsOf(cash)),
    followsValue: true,
    rows: rowsOf(holdings),
    held: rowsOf(holdings),
    editedAt: null,
  })
  checkSavedDraft({ id: user._id, code })
}

function toastLoadError(error: unknown, code: string) {
  if (error instanceof ApiError && error.status === 404) {
    toastCentre.info(`No holdings found for ${code}.`)
  } else if (error instanceof ApiError && error.isNetwork) {
    toastCentre.error(networkMessage)
    // An ended session is handled for the whole app.
  } else if (!(error instanceof ApiError) || error.status !== 401) {
    toastCentre.error("Failed to fetch client details. Please try again.")
  }
}

/** Handles a typed client code: a complete one loads its client, anything else clears the client. */
export function useClientCode() {
  const cache = useQueryClient()
  const load = useCallback(
    async (code: string) => {
      clientLoading.set(true)
      try {
        const holdings = await cache.query(clientHoldingsQuery(code))
        if (draft.get().username === code) fill(code, holdings)
      } catch (error) {
        if (draft.get().username === code) toastLoadError(error, code)
      } finally {
        if (draft.get().username === code) clientLoading.set(false)
      }
    },
    [cache],
  )
  const type = useCallback(
    async (text: string, origin?: string) => {
      const code = asClientCode(text)
      if (code === draft.get().username && origin === undefined) return
      draft.leaveClient({ username: code, ...(origin === undefined ? {} : { origin }) })
      clientLoading.set(false)
      if (isClientCode(code)) await load(code)
    },
    [load],
  )
  /** Updates quantities and cash in the draft, and says what changed; a failure leaves it unchanged. */
  const refresh = useCallback(
    async (code: string) => {
      const holdings = await cache.query(clientHoldingsQuery(code)).catch(() => null)
      const { client, rows, held, editedAt, holdingsChange: said } = draft.get()
      if (!holdings || client?.code !== code) return
      checkSavedDraft(client)
      const now = rowsOf(holdings)
      draft.change({
        rows: withHoldings(rows, held, now),
        held: now,
        holdingsChange: (editedAt === null ? null : holdingsChange(held, now)) ?? said,
      })
    },
    [cache],
  )
  /** Restores the earlier draft of this client with current quantities and cash. */
  const restore = useCallback(() => {
    draft.restoreEarlier()
    void refresh(draft.get().username)
  }, [refresh])
  /** Drops the earlier draft of a client; the server's too, unless it has the current one. */
  const drop = useCallback((code: string) => {
    const { client, editedAt } = draft.get()
    draft.dropEarlier(code)
    if (client?.code === code && editedAt === null) dropSavedDraft(client.id)
  }, [])
  /** Drops the current draft, and loads the client again. */
  const discard = useCallback(() => {
    const { client, username } = draft.get()
    draft.change({ editedAt: null })
    if (client) dropSavedDraft(client.id)
    draft.leaveClient({ username })
    void load(username)
  }, [load])
  return { type, load, refresh, restore, drop, discard }
}
