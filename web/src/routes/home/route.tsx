import { createFileRoute } from "@tanstack/react-router"
import { requireSession } from "@/app/guard"
import { Layout } from "@/app/layout"

export const Route = createFileRoute("/home")({
  beforeLoad: ({ context, location }) => requireSession(context.queryClient, location.href),
  component: Layout,
})
