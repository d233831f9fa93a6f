import styles from "./auth-page.module.css"

const BEAM = 148
const PAN = 304
const PIVOT = 320

/** Holdings of different weight, and the beam that keeps them in balance. Decorates; says nothing new. */
export function Hero() {
  return (
    <svg
      className={styles.hero}
      viewBox="0 0 640 480"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <Colours />
      <Ground />
      <Holdings />
      <Coins />
      <Scales />
    </svg>
  )
}

function Colours() {
  return (
    <defs>
      <linearGradient id="hero-hill" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="var(--brand)" stopOpacity="0.22" />
        <stop offset="1" stopColor="var(--brand)" stopOpacity="0" />
      </linearGradient>
      <linearGradient id="hero-far" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="var(--brand)" stopOpacity="0.1" />
        <stop offset="1" stopColor="var(--brand)" stopOpacity="0" />
      </linearGradient>
      <linearGradient id="hero-metal" x1="0" y1="0" x2="1" y2="0">
        <stop offset="0" stopColor="var(--bar)" />
        <stop offset="0.45" stopColor="var(--brand)" />
        <stop offset="1" stopColor="var(--brand-fill)" />
      </linearGradient>
      <linearGradient id="hero-rise" x1="0" y1="0" x2="1" y2="0">
        <stop offset="0" stopColor="var(--brand)" stopOpacity="0.15" />
        <stop offset="1" stopColor="var(--brand)" stopOpacity="0.75" />
      </linearGradient>
    </defs>
  )
}

/** The market behind: a faint grid, a far range, and one line that rises. */
function Ground() {
  const rise = "M0 430 C76 424 112 396 172 396 S262 408 322 372 S426 344 486 284 S584 226 640 196"
  return (
    <g>
      <g stroke="var(--brand)" strokeOpacity="0.07">
        {[96, 160, 224, 288, 352, 416].map((y) => (
          <path key={y} d={`M0 ${y}H640`} />
        ))}
      </g>
      <path
        d="M0 372 C90 340 140 368 214 330 S352 300 420 316 S560 262 640 276 V480 H0 Z"
        fill="url(#hero-far)"
      />
      <path d={`${rise} V480 H0 Z`} fill="url(#hero-hill)" />
      <path d={rise} fill="none" stroke="url(#hero-rise)" strokeWidth="2" />
    </g>
  )
}

/** Column, beam, chains and pans; the pans hang level. */
function Scales() {
  return (
    <g>
      <path d="M313 148 h14 l5 276 h-24 Z" fill="url(#hero-metal)" />
      <path
        d="M262 440 q0 -16 18 -18 h80 q18 2 18 18 Z M236 440 h168 a8 8 0 0 1 0 16 h-168 a8 8 0 0 1 0 -16 Z"
        fill="url(#hero-metal)"
      />
      <path
        d={`M150 ${BEAM} C220 ${BEAM - 16} 280 ${BEAM - 9} ${PIVOT} ${BEAM - 9} S420 ${BEAM - 16} 490 ${BEAM} C420 ${BEAM - 2} 360 ${BEAM + 9} ${PIVOT} ${BEAM + 9} S220 ${BEAM - 2} 150 ${BEAM} Z`}
        fill="url(#hero-metal)"
      />
      <path
        d={`M${PIVOT} 92 l7 22 h-14 Z M313 114 h14 v26 h-14 Z`}
        fill="var(--brand)"
        strokeLinejoin="round"
      />
      <circle cx={PIVOT} cy={BEAM} r="16" fill="var(--brand)" />
      <circle cx={PIVOT} cy={BEAM} r="6" fill="var(--brand-soft)" />
      {[150, 490].map((x) => (
        <g key={x}>
          <path
            d={`M${x} ${BEAM} L${x - 74} ${PAN} M${x} ${BEAM} L${x + 74} ${PAN}`}
            fill="none"
            stroke="var(--brand)"
            strokeOpacity="0.45"
            strokeWidth="1.75"
          />
          <circle cx={x} cy={BEAM} r="6.5" fill="var(--brand)" />
          <circle cx={x} cy={BEAM} r="2.5" fill="var(--brand-soft)" />
          <path
            d={`M${x - 84} ${PAN} h168 a4 4 0 0 1 3.6 5.6 C${x + 70} ${PAN + 34} ${x + 40} ${PAN + 46} ${x} ${PAN + 46} S${x - 70} ${PAN + 34} ${x - 87.6} ${PAN + 5.6} A4 4 0 0 1 ${x - 84} ${PAN} Z`}
            fill="url(#hero-metal)"
          />
        </g>
      ))}
    </g>
  )
}

/** What is owned: five positions of different weight. */
function Holdings() {
  const heights = [30, 52, 40, 68, 24]
  return (
    <g>
      {heights.map((height, place) => (
        <rect
          key={height}
          x={105 + place * 19}
          y={PAN - height}
          width="14"
          height={height}
          rx="3"
          fill={`color-mix(in oklab, var(--brand) ${48 + height / 2}%, var(--brand-soft))`}
        />
      ))}
    </g>
  )
}

/** What it is worth: a stack of coins, the rupee on top. */
function Coins() {
  const top = PAN - 54
  return (
    <g>
      {[3, 2, 1, 0].map((place) => {
        const y = top + place * 13
        return (
          <g key={place}>
            <path
              d={`M450 ${y} v11 a40 11 0 0 0 80 0 v-11 Z`}
              fill="color-mix(in oklab, var(--gain) 72%, var(--brand-soft))"
            />
            <ellipse cx="490" cy={y} rx="40" ry="11" fill="var(--gain)" />
            <ellipse
              cx="490"
              cy={y}
              rx="34"
              ry="8.5"
              fill="none"
              stroke="var(--surface)"
              strokeOpacity="0.35"
            />
          </g>
        )
      })}
      <path
        d={`M483 ${top - 5} h15 M483 ${top - 1.8} h15 M483 ${top - 5} h4.5 c9 0 9 6.2 0 6.2 h-4.5 l9.5 4.3`}
        fill="none"
        stroke="var(--surface)"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth="1.6"
      />
    </g>
  )
}
