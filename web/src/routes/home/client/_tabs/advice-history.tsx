import { createFileRoute } from "@tanstack/react-router"
import { AdviceHistory } from "@/features/advice/advice-history"

export const Route = createFileRoute("/home/client/_tabs/advice-history")({
  component: AdviceHistory,
})
