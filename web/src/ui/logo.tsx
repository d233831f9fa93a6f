/** The scales of Tarazu: a beam in balance over a plumb line. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--brand-fill)" />
      <g
        fill="none"
        stroke="var(--on-brand)"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M16 7v17M11.5 24.5h9M7.5 10.5h17" />
        <path d="M7.5 10.5 4.6 17a3.2 3.2 0 0 0 5.8 0zM24.5 10.5 21.6 17a3.2 3.2 0 0 0 5.8 0z" />
      </g>
    </svg>
  )
}
