import { type ReactNode, useState } from "react"
import { messageOf } from "@/api/client"
import { count } from "@/lib/format"
import { toast } from "@/ui/overlay/toast"
import { useChooseClient, useChooseTile } from "./book-queries"
import { tileWords } from "./book-words"
import { ChooseDialog } from "./choose-dialog"
import type { Run, RunClient, TileCount } from "./types"

interface Asked {
  who: string
  isIncluded: boolean
  warning?: string
  act: (note: string) => Promise<unknown>
}

/** Takes clients into a run or leaves them out, one or a whole tile; asks for the reason first. */
export function useChoose(run: Run) {
  const one = useChooseClient(run._id)
  const many = useChooseTile(run._id)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  const settle = async (act: Promise<unknown>) => {
    setIsBusy(true)
    try {
      await act
      setAsked(null)
    } catch (error) {
      toast.error(messageOf(error, "Something went wrong"))
    } finally {
      setIsBusy(false)
    }
  }
  const choose = (client: RunClient, isIncluded: boolean) => {
    const act = (note: string) => one.mutateAsync({ clientId: client._id, isIncluded, note })
    // Who is ready was only left out by hand: back without a word.
    if (isIncluded && client.tile === "READY") {
      void settle(act(""))
      return
    }
    const warning = client.reasons.map(({ message }) => message).join(" ")
    setAsked({ who: client.name, isIncluded, act, ...(isIncluded ? { warning } : {}) })
  }
  const chooseTile = ({ tile, canBeSent, included }: TileCount, isIncluded: boolean) => {
    const act = (note: string) => many.mutateAsync({ tile, isIncluded, note })
    if (isIncluded && tile === "READY") {
      void settle(act(""))
      return
    }
    const number = isIncluded ? canBeSent - included : included
    const who = `${count(number)} ${number === 1 ? "client" : "clients"}`
    const warning = `They stand under “${tileWords[tile]}”: each is sent what can be traded.`
    setAsked({ who, isIncluded, act, ...(isIncluded ? { warning } : {}) })
  }
  const dialog: ReactNode = asked && (
    <ChooseDialog
      who={asked.who}
      isIncluded={asked.isIncluded}
      warning={asked.warning}
      isBusy={isBusy}
      onClose={() => setAsked(null)}
      onChoose={(note) => void settle(asked.act(note))}
    />
  )
  return { choose, chooseTile, dialog, isBusy }
}
