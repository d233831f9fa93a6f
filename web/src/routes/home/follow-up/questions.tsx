import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { Questions } from "@/features/follow-up/questions"
import { QUESTIONS_PAGE, questionsQuery, type QuestionsView } from "@/features/follow-up/queries"

const plain: QuestionsView = { page: 1, limit: QUESTIONS_PAGE, show: "" }

export const Route = createFileRoute("/home/follow-up/questions")({
  ...listSearch(plain, { show: ["OPEN", "ANSWERED"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, questionsQuery(entry.deps)),
  component: QuestionsRoute,
})

function QuestionsRoute() {
  return <Questions view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
