import { createFileRoute, redirect } from "@tanstack/react-router"

export const Route = createFileRoute("/home/client/")({
  beforeLoad: () => {
    throw redirect({ to: "/home/client/details", replace: true })
  },
})
