import { createFileRoute } from "@tanstack/react-router"
import { firmQuery } from "@/api/shared-queries"
import { requireSession } from "@/app/guard"
import { Layout } from "@/app/layout"
import { prefetch } from "@/app/prefetch"

export const Route = createFileRoute("/home")({
  beforeLoad: ({ context, location }) => requireSession(context.queryClient, location.href),
  loader: (entry) => prefetch(entry, firmQuery),
  component: Layout,
})
