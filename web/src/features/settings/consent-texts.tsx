import { useQuery } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useState } from "react"
import { date } from "@/lib/dates"
import { type ConsentKind, consentKinds } from "@/parts/consent-kinds"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { ErrorNote, Loading } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import { ConsentTextForm } from "./consent-text-form"
import { type ConsentText, consentTextsQuery, type TextVersion } from "./consent-text-queries"
import styles from "./settings.module.css"

const notes: Record<ConsentKind, string> = {
  TERMS: "Asked for before the first paid service.",
  MITC: "The wording that the regulator prescribes. Asked for before the first paid service.",
  DATA: "The notice on personal data. The client can withdraw this consent.",
  AI: "How far the firm uses AI tools.",
  HOLDINGS: "That the firm reads the client's holdings. The client can withdraw this consent.",
}

/** The texts to which clients consent, each with its versions. */
export default function ConsentTexts() {
  const texts = useQuery(consentTextsQuery)
  const [edited, setEdited] = useState<ConsentText | null>(null)
  if (texts.isError && !texts.data)
    return <ErrorNote message="Failed to fetch data" onRetry={texts.refetch} />
  if (!texts.data) return <Loading />
  return (
    <Screen>
      <p className={styles.hint}>
        Clients see a text on the page of an advice and consent to it there. A new version is asked
        for again from its day on; earlier versions stay.
      </p>
      {texts.data.map((text) => (
        <TextCard key={text.kind} text={text} onAdd={() => setEdited(text)} />
      ))}
      {edited && <ConsentTextForm text={edited} onClose={() => setEdited(null)} />}
    </Screen>
  )
}

function TextCard({ text, onAdd }: { text: ConsentText; onAdd: () => void }) {
  const { kind, versions, inForce } = text
  const add = (
    <Button
      icon={<Plus size={15} aria-hidden="true" />}
      aria-haspopup="dialog"
      aria-label={`Add version of ${consentKinds[kind]}`}
      onClick={onAdd}
    >
      Add version
    </Button>
  )
  return (
    <Card title={consentKinds[kind]} note={notes[kind]} actions={add}>
      {versions.length === 0 && <p className={styles.hint}>No text yet. Clients are not asked.</p>}
      {versions.map((version) => (
        <Version
          key={version.number}
          version={version}
          isInForce={version.number === inForce?.number}
          isLater={inForce === null || version.number > inForce.number}
        />
      ))}
    </Card>
  )
}

interface VersionProps {
  version: TextVersion
  isInForce: boolean
  isLater: boolean
}

function Version({ version, isInForce, isLater }: VersionProps) {
  const { number, effectiveOn, text, textHi } = version
  return (
    <details className={styles.version}>
      <summary>
        Version {number}, from {date(effectiveOn)}{" "}
        {isInForce && <StatusPill word="In force" tone="gain" />}
        {isLater && <StatusPill word="Later" tone="brand" />}
      </summary>
      <p className={styles.hint}>{text}</p>
      {textHi !== "" && (
        <p className={styles.hint} lang="hi">
          {textHi}
        </p>
      )}
    </details>
  )
}
