import { createFileRoute } from "@tanstack/react-router"
import { BrokerReturn } from "@/features/brokers/broker-return"

export const Route = createFileRoute("/redirect")({ component: BrokerReturn })
