import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { listSearch, plainList } from "@/app/list-search"
import { ClientList } from "@/features/clients/client-list"

export const Route = createFileRoute("/home/client/details")({
  validateSearch: listSearch(50),
  search: { middlewares: [stripSearchParams(plainList(50))] },
  component: ClientList,
})
