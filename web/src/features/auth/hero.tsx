import styles from "./auth-page.module.css"

/** Holdings of different weight, and the beam that keeps them in balance. Decorates; says nothing new. */
export function Hero() {
  return (
    <svg
      className={styles.hero}
      viewBox="0 0 640 480"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <defs>
        <linearGradient id="hero-hill" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--brand)" stopOpacity="0.2" />
          <stop offset="1" stopColor="var(--brand)" stopOpacity="0.02" />
        </linearGradient>
        <linearGradient id="hero-pillar" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--brand)" />
          <stop offset="1" stopColor="var(--brand)" stopOpacity="0.55" />
        </linearGradient>
      </defs>

      <g stroke="var(--brand)" strokeOpacity="0.1">
        {[150, 220, 290, 360, 430].map((y) => (
          <path key={y} d={`M0 ${y}H640`} />
        ))}
      </g>

      <path
        d="M0 418 C70 404 96 372 156 376 S246 408 306 352 S402 322 452 268 S566 232 640 150 V480 H0 Z"
        fill="url(#hero-hill)"
      />
      <path
        d="M0 418 C70 404 96 372 156 376 S246 408 306 352 S402 322 452 268 S566 232 640 150"
        fill="none"
        stroke="var(--brand)"
        strokeOpacity="0.5"
        strokeWidth="2.5"
      />

      <g fill="none" stroke="var(--brand)" strokeWidth="3" strokeLinecap="round">
        <path d="M160 142 L480 142" strokeWidth="6" />
        <path d="M160 142 L104 268 M160 142 L216 268" strokeOpacity="0.55" />
        <path d="M480 142 L424 268 M480 142 L536 268" strokeOpacity="0.55" />
      </g>
      <circle cx="160" cy="142" r="7" fill="var(--brand)" />
      <circle cx="480" cy="142" r="7" fill="var(--brand)" />

      <g fill="var(--brand)">
        <rect x="122" y="226" width="20" height="42" rx="3" fillOpacity="0.45" />
        <rect x="150" y="196" width="20" height="72" rx="3" fillOpacity="0.75" />
        <rect x="178" y="212" width="20" height="56" rx="3" fillOpacity="0.6" />
        <path d="M92 268 H228 A68 40 0 0 1 92 268 Z" />
      </g>
      <g>
        <g fill="var(--gain)">
          <ellipse cx="480" cy="260" rx="36" ry="9" fillOpacity="0.45" />
          <ellipse cx="480" cy="246" rx="36" ry="9" fillOpacity="0.6" />
          <ellipse cx="480" cy="232" rx="36" ry="9" fillOpacity="0.75" />
          <ellipse cx="480" cy="218" rx="36" ry="9" />
        </g>
        <g fill="none" stroke="var(--surface)" strokeWidth="2" strokeLinecap="round">
          <path d="M473 214 h14 M473 217.5 h14 M475 214 c10 0 10 6 0 6 l8 4" strokeWidth="1.4" />
        </g>
        <path d="M412 268 H548 A68 40 0 0 1 412 268 Z" fill="var(--brand)" />
      </g>

      <circle cx="320" cy="108" r="15" fill="none" stroke="var(--brand)" strokeWidth="6" />
      <rect x="314" y="122" width="12" height="304" rx="6" fill="url(#hero-pillar)" />
      <circle cx="320" cy="142" r="13" fill="var(--brand)" />
      <circle cx="320" cy="142" r="5" fill="var(--brand-soft)" />
      <path
        d="M268 424 H372 A10 10 0 0 1 382 434 V444 H258 V434 A10 10 0 0 1 268 424 Z"
        fill="var(--brand)"
      />
      <rect x="228" y="444" width="184" height="14" rx="7" fill="var(--brand)" fillOpacity="0.75" />
    </svg>
  )
}
