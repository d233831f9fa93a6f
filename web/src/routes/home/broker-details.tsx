import { createFileRoute } from "@tanstack/react-router"
import { BrokerList } from "@/features/brokers/broker-list"

export const Route = createFileRoute("/home/broker-details")({ component: BrokerList })
