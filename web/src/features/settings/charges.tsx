import { useQuery } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useState } from "react"
import { date, longDate } from "@/lib/dates"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { SelectField } from "@/ui/form/fields"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import { chargeKey, chargeName, chargeRate, chargeScope } from "./charge-words"
import { ChargesForm } from "./charges-form"
import { type ChargeLine, chargesFile, chargesQuery, type ChargeVersion } from "./queries"
import styles from "./settings.module.css"

const keyOf = (version: ChargeVersion) => version._id ?? "shipped"

/** The charges of trades by effective date; rebalances use the version in force. */
export default function Charges() {
  const charges = useQuery(chargesQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const [isAdding, setIsAdding] = useState(false)
  const inForce = charges.data?.find((version) => version.isInForce)
  const shown = charges.data?.find((version) => keyOf(version) === chosen) ?? inForce
  return (
    <Card
      flush
      title="Charges"
      note={
        shown && (
          <span className={styles.day}>
            From {longDate(shown.effectiveOn)}
            {shown.isInForce && <StatusPill word="In force" tone="gain" />}
            {shown.source}
          </span>
        )
      }
      actions={
        <>
          {charges.data && charges.data.length > 1 && (
            <SelectField
              label="Version"
              hideLabel
              options={Object.fromEntries(
                charges.data.map((version) => [
                  keyOf(version),
                  `From ${date(version.effectiveOn)}${version.isInForce ? ", in force" : ""}`,
                ]),
              )}
              value={shown && keyOf(shown)}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
          )}
          <Button
            icon={<Plus size={15} aria-hidden="true" />}
            disabled={inForce === undefined}
            onClick={() => setIsAdding(true)}
          >
            Add version
          </Button>
        </>
      }
    >
      <Table
        label="Charges"
        name="charges"
        columns={columns}
        download={chargesFile}
        rows={shown?.lines}
        rowKey={chargeKey}
        rowName={chargeName}
        state={charges}
        skeletonRows={8}
        empty={{ title: "No Data Available" }}
      />
      {isAdding && charges.data && inForce && (
        <ChargesForm inForce={inForce} versions={charges.data} onClose={() => setIsAdding(false)} />
      )}
    </Card>
  )
}

const columns: Column<ChargeLine>[] = [
  { title: "Charge", cell: chargeName, card: "title" },
  { title: "For", cell: chargeScope, card: "note" },
  { title: "Rate", cell: chargeRate, align: "right", card: "main" },
  {
    title: "Source",
    cell: (line) => <span className={styles.source}>{line.source}</span>,
    card: "rest",
  },
]
