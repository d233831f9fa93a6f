import { useState } from "react"
import { messageOf } from "@/api/client"
import { isAdmin } from "@/api/session"
import { useActKey } from "@/api/act-key"
import { dateTime } from "@/lib/dates"
import { Button } from "@/ui/button"
import { TextField } from "@/ui/form/fields"
import { useReply } from "./queries"
import styles from "./follow-up.module.css"

interface ReplyProps {
  question: { _id: string; reply: string; repliedAt: string | null; repliedBy?: string | null }
}

/** The firm's reply to a question; before there is one, the field for it. */
export function Reply({ question }: ReplyProps) {
  const { reply, repliedAt, repliedBy } = question
  if (repliedAt === null) return isAdmin() ? <ReplyForm id={question._id} /> : <NotYet />
  return (
    <div className={styles.reply}>
      <small>
        Answered by mail {dateTime(repliedAt)}
        {repliedBy ? ` by ${repliedBy}` : ""}
      </small>
      {reply}
    </div>
  )
}

const NotYet = () => <p className={styles.none}>Not answered yet. An administrator can answer.</p>

const LONGEST = 5000

function ReplyForm({ id }: { id: string }) {
  const [text, setText] = useState("")
  const [fault, setFault] = useState<string>()
  const reply = useReply()
  const keyOf = useActKey()
  const submit = () => {
    if (text.trim() === "") {
      setFault("Enter an answer.")
      return
    }
    const body = text.trim()
    reply.mutate(
      { id, text: body, key: keyOf({ id, body }) },
      { onError: (error) => setFault(messageOf(error, "Something went wrong")) },
    )
  }
  return (
    <form
      className={styles.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label="Your answer"
        minRows={3}
        maxLength={LONGEST}
        value={text}
        error={fault}
        description="Mailed to the client, and saved with the advice."
        onChange={(event) => {
          setText(event.currentTarget.value)
          setFault(undefined)
        }}
      />
      <div>
        <Button type="submit" isBusy={reply.isPending}>
          Send answer
        </Button>
      </div>
    </form>
  )
}
