import styles from "./broker-logo.module.css"

/** Letters of our own drawing, for a broker whose record has no logo. */
const paths: Partial<Record<string, string>> = {
  ZERODHA: "M6 7h12L7 17h11",
  ANGEL_ONE: "M6 18 12 6l6 12M8.5 13.5h7",
}

/** A broker's logo: the picture of its record, else a letter. It says nothing to those who do not see it. */
export function BrokerLogo({
  name,
  logo,
  size = 40,
}: {
  name: string
  logo?: string
  size?: number
}) {
  if (logo)
    return (
      <img
        className={styles.picture}
        src={logo}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        referrerPolicy="no-referrer"
      />
    )
  return (
    <svg
      className={styles.letter}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
    >
      <rect width="24" height="24" rx="6" />
      <path d={paths[name] ?? "M7 7h10v10H7z"} />
    </svg>
  )
}
