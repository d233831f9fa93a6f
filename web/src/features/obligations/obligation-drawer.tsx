import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { date } from "@/lib/dates"
import { statusWords } from "@/parts/obligation-status"
import { Button } from "@/ui/button"
import { Facts } from "@/ui/facts"
import { GoTo } from "@/ui/go-to"
import { DetailsDrawer } from "@/ui/overlay/details-drawer"
import { ErrorNote, Loading } from "@/ui/states"
import { EndObligation } from "./end-obligation"
import { EvidenceForm } from "./evidence-form"
import { InstanceList } from "./instance-list"
import { ObligationForm } from "./obligation-form"
import { obligationQuery, type Obligation, type ObligationShown } from "./queries"
import styles from "./obligations.module.css"

interface ObligationDrawerProps {
  id: string
  /** The rows of the list, to step through. */
  rows: Obligation[]
  onObligation: (id: string) => void
}

/** One obligation: its rule and source, each time it is due with its evidence, and its versions. */
export function ObligationDrawer({ id, rows, onObligation }: ObligationDrawerProps) {
  const query = useQuery(obligationQuery(id))
  const shown = query.data
  const title = (shown ?? rows.find(({ _id }) => _id === id))?.title ?? "Obligation"
  return (
    <DetailsDrawer
      label={title}
      title={title}
      width={640}
      noun="obligation"
      rows={rows}
      isShown={({ _id }) => _id === id}
      onStep={({ _id }) => onObligation(_id)}
      onClose={() => onObligation("")}
    >
      {query.isPending && <Loading />}
      {query.isError && <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />}
      {shown && <Shown key={id} shown={shown} />}
    </DetailsDrawer>
  )
}

const AUDIT = "annual_audit"
const ACCESSIBILITY = "accessibility"

const preparesOf = ({ _id, prepares }: ObligationShown) => {
  if (_id === AUDIT) return "The pack that the auditor works with"
  if (_id === ACCESSIBILITY && prepares === "")
    return "No accessibility report comes with this version"
  return prepares
}

function Shown({ shown }: { shown: ObligationShown }) {
  const [opened, setOpened] = useState<"version" | "end" | null>(null)
  const [instance, setInstance] = useState<string | null>(null)
  const close = () => setOpened(null)
  const version = shown.versions.find(({ ruleText }) => ruleText === shown.ruleText)
  return (
    <>
      <p>{version?.duty}</p>
      <Facts
        facts={[
          ["Status", statusWords[shown.status]],
          ["Due", shown.ruleText],
          ["Evidence", version?.evidence],
          ["Tarazu makes", preparesOf(shown)],
          ["Holds from", date(version?.effectiveOn)],
          ["Source", shown.source],
          ["Now", shown.note],
        ]}
      />
      <div className={styles.acts}>
        <Button onClick={() => setOpened("version")}>Change from a day</Button>
        <Button onClick={() => setOpened("end")}>End</Button>
        {shown._id === AUDIT && <GoTo to="/home/compliance/packs">Make the audit pack</GoTo>}
      </div>
      <section>
        <h3>Times due</h3>
        <InstanceList shown={shown} onAdd={setInstance} />
      </section>
      <section>
        <h3>Versions</h3>
        <ul className={styles.list}>
          {shown.versions.map((row, place) => (
            <li key={place}>
              {date(row.effectiveOn)}: {row.isEnded ? "ended" : row.ruleText}
              <small>{row.source}</small>
            </li>
          ))}
        </ul>
      </section>
      {instance !== null && (
        <EvidenceForm id={shown._id} instance={instance} onClose={() => setInstance(null)} />
      )}
      {opened === "version" && <ObligationForm edited={shown} onClose={close} />}
      {opened === "end" && <EndObligation id={shown._id} onClose={close} />}
    </>
  )
}
