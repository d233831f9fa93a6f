import { useMemo } from "react"
import { encode } from "uqr"
import styles from "./account.module.css"

/** The quiet zone: light modules around the code that cameras need. */
const QUIET = 4

export interface QrPictureProps {
  text: string
  label: string
}

/** A text of up to 2,953 bytes as a QR code. */
export default function QrPicture({ text, label }: QrPictureProps) {
  const { data, size } = useMemo(() => encode(text, { border: QUIET }), [text])
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("")
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path className={styles.qrDark} d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
