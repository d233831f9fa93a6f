import { useQuery } from "@tanstack/react-query"
import { useLocation, useNavigate } from "@tanstack/react-router"
import { ArrowLeft } from "lucide-react"
import { brokersQuery } from "@/api/shared-queries"
import { BrokerLogo } from "@/parts/broker-logo"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { usePageTitle } from "@/ui/page-title"
import { ErrorNote, Loading } from "@/ui/states"
import { BrokerForm } from "./broker-form"
import styles from "./brokers.module.css"
import { offeredAs } from "./offered"
import { brokerRecordQuery } from "./queries"

/** One broker's settings: name and record come with the navigation, and stay over a reload. */
export function BrokerEdit() {
  const navigate = useNavigate()
  const { brokerName, brokerId } = useLocation().state
  const broker = offeredAs(brokerName)
  usePageTitle("Broker & Exchange", broker?.label)
  // A broker that was added from here has a record that the navigation does not know.
  const { data: list } = useQuery(brokersQuery)
  const id = brokerId ?? list?.find((each) => each.name === broker?.name)?._id ?? null
  const record = useQuery({ ...brokerRecordQuery(id ?? ""), enabled: id !== null })
  const back = () => void navigate({ to: "/home/broker-details" })

  if (!broker) return null
  return (
    <Screen>
      <div className={styles.head}>
        <Button icon={<ArrowLeft size={15} aria-hidden="true" />} onClick={back}>
          Back
        </Button>
        <BrokerLogo name={broker.name} logo={record.data?.logo} size={28} />
        <h2>{broker.label}</h2>
      </div>
      <Card title="Broker settings">
        {record.isError ? (
          <ErrorNote message="Failed to fetch data" onRetry={record.refetch} />
        ) : id !== null && record.data === undefined ? (
          <Loading />
        ) : (
          <BrokerForm
            key={`${id ?? "new"} ${record.data?.version ?? 0}`}
            broker={broker}
            record={record.data}
            onAdded={back}
          />
        )}
      </Card>
    </Screen>
  )
}
