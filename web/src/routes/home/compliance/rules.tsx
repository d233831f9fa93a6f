import { createFileRoute } from "@tanstack/react-router"
import { prefetch } from "@/app/prefetch"
import { rulesQuery } from "@/features/registers/queries"
import { RegisterRules } from "@/features/registers/rules"

export const Route = createFileRoute("/home/compliance/rules")({
  loader: (entry) => prefetch(entry, rulesQuery),
  component: RegisterRules,
})
