import type { components } from "@/api/schema"
import { dateTime } from "@/lib/dates"
import type { ExecutedLine, Execution } from "@/parts/follow-up"
import { type PillTone, StatusPill } from "@/ui/status-pill"
import { Reply } from "./reply"
import styles from "./follow-up.module.css"

type Answer = components["schemas"]["ResponseShown"]

const words: Record<Answer["answer"], [word: string, tone: PillTone]> = {
  READ: ["Read", "gain"],
  DECLINED: ["Declined", "warn"],
  WITHDRAWN: ["Will act after all", "neutral"],
  QUESTION: ["Question", "brand"],
}

/** The stocks that an answer is about; "" for the whole advice. */
function stocksOf(answer: Answer, lines: ExecutedLine[]) {
  const named = lines.filter(({ place }) => answer.lines.includes(place))
  return named.map(({ tradingSymbol }) => tradingSymbol).join(", ")
}

/** What the client answered on the page: read, declined with a reason, questions with the firm's reply. */
export function ClientAnswers({ execution }: { execution: Execution }) {
  const { responses, lines } = execution
  if (responses.length === 0)
    return <p className={styles.none}>The client has not answered on the page yet.</p>
  return (
    <ul className={styles.answers} aria-label="Client’s answers">
      {responses.map((answer) => {
        const [word, tone] = words[answer.answer]
        const stocks = stocksOf(answer, lines)
        return (
          <li key={answer._id}>
            <span className={styles.answerHead}>
              <StatusPill word={word} tone={tone} />
              {dateTime(answer.at)}
              {answer.language === "HI" && <span>in Hindi</span>}
              {stocks !== "" && <span>about {stocks}</span>}
            </span>
            {answer.text !== "" && <p className={styles.quote}>{answer.text}</p>}
            {answer.answer === "QUESTION" && <Reply question={answer} />}
          </li>
        )
      })}
    </ul>
  )
}
