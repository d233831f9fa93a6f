import { type KeyboardEvent, type ReactNode, useEffect, useId } from "react"
import styles from "./tabs.module.css"

interface TabsProps<Choice extends string> {
  label: string
  /** Shown text by value, in their order. */
  choices: Readonly<Partial<Record<Choice, string>>>
  value: Choice
  onChoice: (choice: Choice) => void
  /** The panel of the chosen tab. */
  children: ReactNode
}

const steps: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Views of one screen: the arrow keys go from tab to tab. */
export function Tabs<Choice extends string>(props: TabsProps<Choice>) {
  const { label, choices, value, onChoice, children } = props
  const id = useId()
  const tabs = Object.entries(choices) as [Choice, string][]
  // A row of tabs that is wider than the screen shows the one that is chosen.
  useEffect(() => {
    const tab = document.getElementById(`${id}-${value}`)
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [id, value])
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const by = steps[event.key]
    if (by === undefined) return
    const place = tabs.findIndex(([choice]) => choice === value) + by
    const [choice] = tabs[(place + tabs.length) % tabs.length] ?? []
    if (choice === undefined) return
    event.preventDefault()
    onChoice(choice)
    document.getElementById(`${id}-${choice}`)?.focus()
  }
  return (
    <div>
      <div className={styles.tabs} role="tablist" aria-label={label}>
        {tabs.map(([choice, text]) => (
          <button
            key={choice}
            id={`${id}-${choice}`}
            type="button"
            role="tab"
            aria-selected={choice === value}
            aria-controls={`${id}-panel`}
            tabIndex={choice === value ? 0 : -1}
            onClick={() => onChoice(choice)}
            onKeyDown={step}
          >
            {text}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        className={styles.panel}
        role="tabpanel"
        aria-labelledby={`${id}-${value}`}
      >
        {children}
      </div>
    </div>
  )
}
