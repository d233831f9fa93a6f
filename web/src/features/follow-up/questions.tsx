import { FileText } from "lucide-react"
import { date, dateTime } from "@/lib/dates"
import { useFreshFollowUp } from "@/parts/use-fresh-follow-up"
import { useOpenClient } from "@/parts/use-open-client"
import { Card, Screen, Toolbar } from "@/ui/card"
import { Segments } from "@/ui/form/segments"
import { GoTo } from "@/ui/go-to"
import { usePageTitle } from "@/ui/page-title"
import { StatusPill } from "@/ui/status-pill"
import { Pagination } from "@/ui/table/pagination"
import { type Column, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { FollowUpNav } from "./follow-up-nav"
import { type Question, questionsFile, questionsQuery, type QuestionsView } from "./queries"
import { Reply } from "./reply"
import styles from "./follow-up.module.css"

const noFilter = { show: "" } as const
const shows = { "": "All", OPEN: "Not answered", ANSWERED: "Answered" } as const

const columns: Column<Question>[] = [
  {
    title: "Client",
    cell: (row) => (
      <span className={styles.client}>
        <strong>{row.name}</strong> <span className="muted">{row.clientId}</span>
      </span>
    ),
    card: "title",
  },
  { title: "Asked", cell: (row) => dateTime(row.at), card: "note", width: 170 },
  { title: "Question", cell: (row) => <span className={styles.preview}>{row.text}</span> },
  { title: "Advice of", cell: (row) => date(row.sentAt), width: 110 },
  {
    title: "Answer",
    cell: (row) =>
      row.repliedAt === null ? (
        <StatusPill word="Not answered" tone="warn" />
      ) : (
        <StatusPill word="Answered" tone="gain" />
      ),
    card: "main",
    width: 130,
  },
]

/** What clients asked about their advice; a row opens to the question and the firm's answer. */
export function Questions({ view, onView }: ListProps<QuestionsView>) {
  usePageTitle("Questions")
  useFreshFollowUp()
  const openClient = useOpenClient()
  const list = useListScreen({ view, onView, query: questionsQuery(view), noFilter })
  return (
    <Screen>
      <FollowUpNav />
      <Card flush>
        <Toolbar>
          <Segments
            label="Show questions"
            choices={shows}
            value={view.show}
            onChoice={(show) => list.filter({ show })}
          />
        </Toolbar>
        <Table
          {...list.table}
          label="Questions"
          name="follow-up-questions"
          columns={columns}
          download={(format) => questionsFile(view, format)}
          rowKey={(row) => row._id}
          rowName={(row) => `the question of ${row.name}`}
          details={(row) => (
            <div className={styles.question}>
              <p className={styles.quote}>{row.text}</p>
              <Reply question={row} />
            </div>
          )}
          menu={(row) => [
            {
              label: "Open advice history",
              icon: <FileText size={15} />,
              onSelect: () =>
                openClient(
                  { _id: row.userId, clientId: row.clientId },
                  "/home/client/advice-history",
                ),
            },
          ]}
          around={280}
          skeletonRows={5}
          empty={list.empty({
            hint: "Questions that clients ask on their page appear here.",
            action: <GoTo to="/home/follow-up">Go to Follow-up</GoTo>,
            noMatch: "No question matches.",
            clearLabel: "Show all",
          })}
        />
        <Pagination {...list.pages} sizes={[10, 20, 50, 100]} label="Pages of questions" />
      </Card>
    </Screen>
  )
}
