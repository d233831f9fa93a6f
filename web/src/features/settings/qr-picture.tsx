import { useMemo } from "react"
import { qrCode } from "@/lib/qr"
import styles from "./account.module.css"

/** The quiet zone: light modules around the code that cameras need. */
const QUIET = 4

/** A text as a QR code; nothing if it is too long. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const rows = useMemo(() => qrCode(text), [text])
  if (rows === null) return null
  const size = rows.length + 2 * QUIET
  const path = rows
    .flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")),
    )
    .join("")
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path className={styles.qrDark} d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
