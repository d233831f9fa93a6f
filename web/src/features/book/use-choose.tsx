import { type ReactNode, useState } from "react"
import { count } from "@/lib/format"
import { toastError } from "@/parts/toast-error"
import { ChooseDialog } from "./choose-dialog"
import { useChooseClient, useChooseTile } from "./queries"
import type { Run, RunClient, TileCount } from "./types"
import { tileWords } from "./words"

interface Question {
  who: string
  isIncluded: boolean
  warning?: string
  act: (note: string) => Promise<unknown>
}

/** Includes clients in a run or leaves them out, one or a whole tile; asks for the reason first. */
export function useChoose(run: Run) {
  const chooseOne = useChooseClient(run._id)
  const chooseAll = useChooseTile(run._id)
  const [question, setQuestion] = useState<Question | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  const save = async (act: Promise<unknown>) => {
    setIsBusy(true)
    try {
      await act
      setQuestion(null)
    } catch (error) {
      toastError(error)
    } finally {
      setIsBusy(false)
    }
  }
  const choose = (client: RunClient, isIncluded: boolean) => {
    const act = (note: string) => chooseOne.mutateAsync({ clientId: client._id, isIncluded, note })
    // A ready client was only left out by a person: no reason is needed to include it again.
    if (isIncluded && client.tile === "READY") {
      void save(act(""))
      return
    }
    const warning = client.reasons.map(({ message }) => message).join(" ")
    setQuestion({ who: client.name, isIncluded, act, ...(isIncluded ? { warning } : {}) })
  }
  const chooseTile = ({ tile, canBeSent, included }: TileCount, isIncluded: boolean) => {
    const act = (note: string) => chooseAll.mutateAsync({ tile, isIncluded, note })
    if (isIncluded && tile === "READY") {
      void save(act(""))
      return
    }
    const number = isIncluded ? canBeSent - included : included
    const who = `${count(number)} ${number === 1 ? "client" : "clients"}`
    const warning = `These clients are marked “${tileWords[tile]}”. Each will be sent the orders that are possible.`
    setQuestion({ who, isIncluded, act, ...(isIncluded ? { warning } : {}) })
  }
  const dialog: ReactNode = question && (
    <ChooseDialog
      who={question.who}
      isIncluded={question.isIncluded}
      warning={question.warning}
      isBusy={isBusy}
      onClose={() => setQuestion(null)}
      onChoose={(note) => void save(question.act(note))}
    />
  )
  return { choose, chooseTile, dialog, isBusy }
}
