import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Circle, CircleCheck, Clock } from "lucide-react"
import { type ReactNode, useState } from "react"
import { api, dataOf } from "@/api/client"
import { useSession } from "@/api/use-session"
import { LoadSampleClient } from "@/parts/sample-client"
import { toastError } from "@/parts/toast-error"
import { useSendTestMail } from "@/parts/use-send-test-mail"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { GoTo } from "@/ui/go-to"
import { toast } from "@/ui/overlay/toast"
import { setupQuery, type SetupLine } from "./queries"
import styles from "./setup-list.module.css"

/** With so few lines left to do, the list is one bar. */
const FEW = 2

/** What a new firm has to do before its first advice; an ADMIN's alone, and gone when all is done. */
export default function SetupList() {
  const isAdmin = useSession("role") === "ADMIN"
  const { data: lines = [] } = useQuery({ ...setupQuery, enabled: isAdmin })
  const [isOpen, setIsOpen] = useState<boolean | null>(null)
  if (!isAdmin || lines.length === 0) return null

  const open = lines.filter((line) => !line.isDone && !line.isLater)
  const done = lines.filter((line) => line.isDone).length
  const isBar = !(isOpen ?? open.length > FEW)
  const counted = `${done} of ${lines.length} done`
  const [next] = open
  if (isBar)
    return (
      <section className={styles.bar} aria-label="Set-up">
        <strong>Set-up</strong>
        <span className={styles.note}>{counted}</span>
        <span className={styles.next}>
          {next ? `Next: ${next.title}` : "The rest is for later."}
        </span>
        {next && <Act line={next} />}
        <Button kind="subtle" aria-expanded={false} onClick={() => setIsOpen(true)}>
          Show all
        </Button>
      </section>
    )
  return (
    <Card
      title="Set up your firm"
      note={counted}
      actions={
        <Button kind="subtle" aria-expanded onClick={() => setIsOpen(false)}>
          Show less
        </Button>
      }
    >
      <ol className={styles.lines} aria-label="Set up your firm">
        {lines.map((line) => (
          <Line key={line.step} line={line} isNext={line === next} />
        ))}
      </ol>
    </Card>
  )
}

function Line({ line, isNext }: { line: SetupLine; isNext: boolean }) {
  const { title, text, isDone, isLater } = line
  const state = isDone ? "done" : isLater ? "later" : "open"
  return (
    <li className={styles.line} data-state={state}>
      {marks[state]}
      <span className={styles.text}>
        <strong>{title}</strong>
        <small>{text}</small>
      </span>
      {!isDone && (
        <span className={styles.acts}>
          <Act line={line} isNext={isNext} />
          {line.step === "CLIENT" && <LoadSampleClient />}
          <PutOff line={line} />
        </span>
      )}
    </li>
  )
}

const marks: Record<"done" | "later" | "open", ReactNode> = {
  done: <CircleCheck size={18} role="img" aria-label="Done" />,
  later: <Clock size={18} role="img" aria-label="Later" />,
  open: <Circle size={18} role="img" aria-label="To do" />,
}

/** The line's button: opens its screen, or sends the test mail. */
function Act({ line: { to, label }, isNext = false }: { line: SetupLine; isNext?: boolean }) {
  const kind = isNext ? "primary" : "default"
  if (to === null) return <SendTestMail label={label} kind={kind} />
  return (
    <GoTo to={to} kind={kind}>
      {label}
    </GoTo>
  )
}

function SendTestMail({ label, kind }: { label: string; kind: "primary" | "default" }) {
  const cache = useQueryClient()
  const test = useSendTestMail()
  const send = () =>
    test.mutate(undefined, {
      onSuccess: (message) => {
        toast.success(message)
        void cache.invalidateQueries(setupQuery)
      },
      onError: toastError,
    })
  return (
    <Button kind={kind} isBusy={test.isPending} onClick={send}>
      {label}
    </Button>
  )
}

/** "Later" is kept for the whole firm. */
function PutOff({ line: { step, title, isLater } }: { line: SetupLine }) {
  const cache = useQueryClient()
  const putOff = useMutation({
    mutationFn: () =>
      dataOf(api.PUT("/admin/dashboard/setup", { body: { step, isLater: !isLater } })),
    onSuccess: (lines) => cache.setQueryData(setupQuery.queryKey, lines),
    onError: toastError,
  })
  const label = isLater ? "Not later" : "Later"
  return (
    <Button
      kind="subtle"
      isBusy={putOff.isPending}
      aria-label={`${label}: ${title}`}
      onClick={() => putOff.mutate()}
    >
      {label}
    </Button>
  )
}
