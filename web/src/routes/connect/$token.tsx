import { createFileRoute } from "@tanstack/react-router"
import { ConnectPage } from "@/features/brokers/connect-page"

export const Route = createFileRoute("/connect/$token")({ component: ConnectByLink })

function ConnectByLink() {
  const { token } = Route.useParams()
  return <ConnectPage token={token} />
}
