import { useQuery } from "@tanstack/react-query"
import { Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { date, longDate } from "@/lib/dates"
import { count } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import { type Column, type MenuEntry, Table } from "@/ui/table/table"
import { toastFailure } from "./queries"
import styles from "./settings.module.css"
import { TaxRatesForm } from "./tax-rates-form"
import {
  type TaxRateLine,
  taxRatesFile,
  taxRatesQuery,
  type TaxRateVersion,
  useRemoveTaxRates,
} from "./tax-rate-queries"
import { rateName, rateValue } from "./tax-rate-words"

/** The rates of tax on gains: those in force, and the versions by date. */
export default function TaxRates() {
  const rates = useQuery(taxRatesQuery)
  const [isAdding, setIsAdding] = useState(false)
  const menu = useVersionMenu()
  return (
    <Screen>
      <Card
        flush
        title="Tax rates"
        note="In force today. A gain is taxed by the rates of the day of its sale."
        actions={
          <Button
            icon={<Plus size={15} aria-hidden="true" />}
            disabled={rates.data === undefined}
            onClick={() => setIsAdding(true)}
          >
            Add version
          </Button>
        }
      >
        <Table
          label="Tax rates"
          name="tax-rates"
          columns={lineColumns}
          download={taxRatesFile}
          rows={rates.data?.inForce}
          rowKey={(line) => line.item}
          rowName={rateName}
          state={rates}
          skeletonRows={8}
          empty={{ title: "No Data Available" }}
        />
      </Card>
      {rates.data && (
        <Card flush title="Versions" note="Rates of tax years that are over are kept.">
          <Table
            label="Versions of tax rates"
            columns={versionColumns}
            rows={rates.data.versions}
            rowKey={(version) => version._id ?? version.effectiveOn}
            rowName={(version) => `rates from ${date(version.effectiveOn)}`}
            details={(version) => <VersionLines version={version} />}
            menu={menu}
            empty={{ title: "No Data Available" }}
          />
        </Card>
      )}
      {isAdding && rates.data && (
        <TaxRatesForm inForce={rates.data.inForce} onClose={() => setIsAdding(false)} />
      )}
    </Screen>
  )
}

const lineColumns: Column<TaxRateLine>[] = [
  { title: "Rate", cell: rateName, card: "title" },
  { title: "Value", cell: rateValue, align: "right", card: "main" },
  { title: "From", cell: (line) => date(line.effectiveOn), card: "note" },
  {
    title: "Source",
    cell: (line) => <span className={styles.source}>{line.source}</span>,
    card: "rest",
  },
]

const versionColumns: Column<TaxRateVersion>[] = [
  { title: "From", cell: (version) => longDate(version.effectiveOn), card: "title" },
  {
    title: "Rates",
    cell: ({ lines }) => count(lines.length),
    align: "right",
    card: "main",
  },
  {
    title: "Source",
    cell: (version) => <span className={styles.source}>{version.source}</span>,
    card: "note",
  },
]

function VersionLines({ version }: { version: TaxRateVersion }) {
  return (
    <ul>
      {version.lines.map((line) => (
        <li key={line.item}>
          {rateName(line)}: <strong>{rateValue(line)}</strong>{" "}
          <span className="muted">{line.source}</span>
        </li>
      ))}
    </ul>
  )
}

/** A version that was entered here may be removed while its tax year is not over. */
function useVersionMenu() {
  const removal = useRemoveTaxRates()
  const remove = async ({ _id: id, effectiveOn }: TaxRateVersion) => {
    if (id === null) return
    const isSure = await confirm({
      title: `Remove the rates from ${date(effectiveOn)}?`,
      text: "The tax of all clients is computed without them again. They stay in the audit trail.",
      act: "Remove",
      isDanger: true,
    })
    if (!isSure) return
    removal.mutate(id, { onSuccess: (message) => toast.success(message), onError: toastFailure })
  }
  return (version: TaxRateVersion): MenuEntry[] => [
    {
      label: "Remove",
      icon: <Trash2 size={15} />,
      isDanger: true,
      disabled: !version.canRemove,
      onSelect: () => void remove(version),
    },
  ]
}
