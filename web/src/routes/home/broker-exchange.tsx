import { createFileRoute, redirect } from "@tanstack/react-router"
import { BrokerEdit } from "@/features/brokers/broker-edit"

export const Route = createFileRoute("/home/broker-exchange")({
  // Which broker is looked at comes with the navigation; an address typed by hand does not say.
  beforeLoad: ({ location }) => {
    if (location.state.brokerName === undefined)
      throw redirect({ to: "/home/broker-details", replace: true })
  },
  component: BrokerEdit,
})
