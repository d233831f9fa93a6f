import { useQuery } from "@tanstack/react-query"
import { type ComponentType, useState } from "react"
import { useSession } from "@/api/use-session"
import { count } from "@/lib/format"
import { Screen } from "@/ui/card"
import { SelectField } from "@/ui/form/fields"
import { Notice } from "@/ui/notice"
import { steadyState } from "@/ui/table/table"
import { EntriesTable } from "./entries-table"
import type { EntryStock } from "./entry-draft"
import { EntryForm } from "./entry-form"
import { HarvestTable } from "./harvest-table"
import { ImportHighs } from "./import-highs"
import { LotsTable } from "./lots-table"
import { type Entry, type Gains, gainsFile, gainsQuery, lotsFile, lotsQuery } from "./queries"
import { SalesTable } from "./sales-table"
import { StatementButton } from "./statement-button"
import { TaxCards } from "./tax-cards"
import { TaxClass } from "./tax-class"
import styles from "./tax.module.css"
import { UnknownStocks } from "./unknown-stocks"
import { taxYears } from "./words"

type Dialog =
  | { what: "entry"; stock: EntryStock | null; edited: Entry | null }
  | { what: "tradebook" | "highs" }

interface TaxTabProps {
  year: string
  onYear: (year: string) => void
  /** The dialog that imports a tradebook; another feature's. */
  importTradebook: ComponentType<{ clientId: string; onClose: () => void }>
}

/** A client's tax year: what was realised, what it costs, the open lots and what is not known. */
export function TaxTab({ year, onYear, importTradebook: ImportTradebook }: TaxTabProps) {
  const clientId = useSession("clientId") ?? ""
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const gains = useQuery(gainsQuery(clientId, year))
  const lots = useQuery(lotsQuery(clientId))
  const close = () => setDialog(null)
  const enter = (stock: EntryStock | null, edited: Entry | null = null) =>
    setDialog({ what: "entry", stock, edited })
  const state = steadyState(gains)
  const lotsState = steadyState(lots)
  return (
    <Screen>
      <div className={styles.head}>
        <div className={styles.choices}>
          <SelectField
            label="Tax year"
            options={taxYears()}
            value={year}
            onChange={(event) => onYear(event.currentTarget.value)}
          />
          <TaxClass clientId={clientId} stated={gains.data?.taxClass} />
        </div>
        <StatementButton clientId={clientId} year={year} />
      </div>
      <NotKnown gains={gains.data} />
      <TaxCards gains={gains.data} />
      <p className={styles.notes}>{gains.data?.notes.join(" ")}</p>
      <UnknownStocks
        stocks={gains.data?.unknownStocks ?? []}
        onEnter={(stock) => enter(stock)}
        onImport={() => setDialog({ what: "tradebook" })}
        onImportHighs={() => setDialog({ what: "highs" })}
      />
      <SalesTable
        gains={gains.data}
        state={state}
        download={(format) => gainsFile(clientId, year, format)}
      />
      <LotsTable
        lots={lots.data}
        state={lotsState}
        download={(format) => lotsFile(clientId, format)}
      />
      <div className={styles.sections}>
        {gains.data && <HarvestTable losses={gains.data.harvestable} />}
        {lots.data && (
          <EntriesTable
            clientId={clientId}
            lots={lots.data}
            onAdd={() => enter(null)}
            onEdit={(entry, tradingSymbol) => enter({ isin: entry.isin, tradingSymbol }, entry)}
          />
        )}
      </div>
      {dialog?.what === "tradebook" && <ImportTradebook clientId={clientId} onClose={close} />}
      {dialog?.what === "highs" && <ImportHighs onClose={close} />}
      {dialog?.what === "entry" && <EntryForm clientId={clientId} {...dialog} onClose={close} />}
    </Screen>
  )
}

/** How many sales and trades are in no sum. */
function NotKnown({ gains }: { gains: Gains | undefined }) {
  if (gains === undefined) return null
  const { unknownDisposals: sales, tradesLeftOut: trades, unknownSpeculations: days } = gains
  const parts = [
    sales > 0 && `${count(sales)} ${sales === 1 ? "sale is" : "sales are"} not known`,
    trades > 0 && `${count(trades)} ${trades === 1 ? "trade has" : "trades have"} no ISIN`,
    days > 0 && `${count(days)} same-day ${days === 1 ? "trade has" : "trades have"} no price`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  return <Notice>{parts.join(", ")}: in no sum below. The reasons are given in the tables.</Notice>
}
