import { useState } from "react"
import { messageOf } from "@/api/client"
import { Button } from "@/ui/button"
import { TextField } from "@/ui/form/fields"
import { Actions } from "@/ui/overlay/confirm"
import { ErrorNote } from "@/ui/states"
import { type ApprovalShown, useDecide, type Verb } from "./queries"
import { effects } from "./words"

const LONGEST_ANSWER = 300

/** The decision on a request of somebody else, or the withdrawal of an own one. */
export function DecideForm({ shown }: { shown: ApprovalShown }) {
  const [answer, setAnswer] = useState("")
  const decide = useDecide(shown._id)
  const submit = (verb: Verb) => decide.mutate({ verb, answer: answer.trim() })
  const error = decide.isError && (
    <ErrorNote message={messageOf(decide.error, "The decision could not be saved.")} />
  )
  if (shown.isOwn)
    return (
      <>
        <p>Another administrator must decide.</p>
        {error}
        <Actions>
          <Button isBusy={decide.isPending} onClick={() => submit("withdraw")}>
            Withdraw
          </Button>
        </Actions>
      </>
    )
  return (
    <>
      <p>{effects[shown.action]}</p>
      <TextField
        label="Answer"
        placeholder="Optional; it is mailed"
        minRows={2}
        maxLength={LONGEST_ANSWER}
        value={answer}
        onChange={(event) => setAnswer(event.currentTarget.value)}
      />
      {error}
      <Actions>
        <Button disabled={decide.isPending} onClick={() => submit("refuse")}>
          Refuse
        </Button>
        <Button
          kind="primary"
          isBusy={decide.isPending}
          disabled={shown.fault !== ""}
          onClick={() => submit("approve")}
        >
          Approve
        </Button>
      </Actions>
    </>
  )
}
