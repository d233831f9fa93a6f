interface SparklineProps {
  values: number[]
  width?: number
  height?: number
}

/** The shape of a series, without axes, in neutral ink. It decorates a number that says the same. */
export function Sparkline({ values, width = 96, height = 26 }: SparklineProps) {
  if (values.length < 2) return null
  const low = Math.min(...values)
  const span = Math.max(...values) - low || 1
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * (width - 2) + 1
    const y = height - 2 - ((value - low) / span) * (height - 4)
    return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`
  })
  return (
    <svg width={width} height={height} aria-hidden="true">
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="var(--ink-3)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  )
}
