import { useQuery } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { newIdempotencyKey } from "@/api/client"
import { signedInQuery } from "@/api/shared-queries"
import { createStore } from "@/lib/store"
import { readTabDraft, saveTabDraft } from "@/lib/tab-draft"

/** A remark that is being written: its text, and the key under which it is sent, however often. */
interface RemarkDraft {
  text: string
  key: string
}

type Drafts = Partial<Record<string, RemarkDraft>>

const readDrafts = () => (readTabDraft("remarks") ?? {}) as Drafts

const drafts = createStore(readDrafts())

/** Reads again what the tab kept, as a reload does. */
export const restoreRemarkDrafts = () => drafts.set(readDrafts())

function write(next: Drafts) {
  drafts.set(next)
  saveTabDraft("remarks", Object.keys(next).length === 0 ? null : next)
}

/**
 * The draft of one remark (`new` for one to be added), or null. It lives in this tab, over other screens, a
 * reload and an expired session, and only for the person who wrote it.
 */
export function useRemarkDraft(clientId: string, remarkId: string) {
  const { data: person } = useQuery(signedInQuery)
  const name = [person?.email ?? "", clientId, remarkId].join(" ")
  const all = useSyncExternalStore(drafts.subscribe, drafts.get)
  return {
    draft: all[name] ?? null,
    /** A changed text is another remark, so it gets a new key; the same text sent again keeps its key. */
    type: (text: string) => write({ ...drafts.get(), [name]: { text, key: newIdempotencyKey() } }),
    drop: () =>
      write(Object.fromEntries(Object.entries(drafts.get()).filter(([key]) => key !== name))),
  }
}
