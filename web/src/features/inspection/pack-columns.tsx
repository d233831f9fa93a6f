import { date, dateTime } from "@/lib/dates"
import { count, missing } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import { DownloadPack } from "./download-pack"
import type { Pack } from "./queries"
import styles from "./inspection.module.css"

export const kinds = { INSPECTION: "Inspection", AUDIT: "Annual audit" } as const

export const ofWhom = (pack: Pack) =>
  pack.clientCode === "" ? "The firm" : `${pack.clientCode} ${pack.clientName}`

const MEGABYTE = 2 ** 20
const size = (bytes: number) =>
  bytes < MEGABYTE
    ? `${count(Math.ceil(bytes / 1024))} kB`
    : `${count(Math.ceil(bytes / MEGABYTE))} MB`

export const packColumns: Column<Pack>[] = [
  {
    title: "Pack",
    cell: (row) => <strong>{`${kinds[row.kind]}: ${ofWhom(row)}`}</strong>,
    card: "title",
  },
  { title: "Days", cell: (row) => `${date(row.from)} – ${date(row.to)}`, card: "note" },
  {
    title: "Advice",
    cell: (row) => (row.sampleEvery === 1 ? "All" : `1 in ${count(row.sampleEvery)}`),
  },
  {
    title: "Made",
    cell: (row) => (
      <>
        {dateTime(row.madeAt)}
        <small className={styles.by}>by {row.madeBy}</small>
      </>
    ),
  },
  { title: "Size", cell: (row) => (row.size > 0 ? size(row.size) : missing), align: "right" },
  {
    title: "SHA-256",
    cell: (row) =>
      row.sha256 === "" ? missing : <code className={styles.hash}>{row.sha256}</code>,
    width: 250,
  },
  { title: "File", cell: (row) => <PackState pack={row} />, card: "main", width: 170 },
]

function PackState({ pack }: { pack: Pack }) {
  if (pack.state === "READY") return <DownloadPack pack={pack} />
  if (pack.state === "REMOVED") return <StatusPill word="Removed after 7 days" tone="neutral" />
  if (pack.state === "FAILED")
    return (
      <>
        <StatusPill word="Not made" tone="loss" />
        <small className={styles.error}>{pack.error}</small>
      </>
    )
  return (
    <>
      <StatusPill word="Being made" tone="warn" />
      {pack.total > 0 && (
        <small className={styles.by}>
          {count(pack.done)} of {count(pack.total)} advices
        </small>
      )}
    </>
  )
}
