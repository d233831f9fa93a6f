import { createFileRoute, redirect } from "@tanstack/react-router"

export const Route = createFileRoute("/home/compliance/")({
  beforeLoad: () => {
    throw redirect({ to: "/home/compliance/complaints", replace: true })
  },
})
