import { Tabs as MantineTabs } from "@mantine/core"
import { type ReactNode, useEffect, useRef } from "react"
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

/** Views of one screen: the arrow keys go from tab to tab. */
export function Tabs<Choice extends string>(props: TabsProps<Choice>) {
  const { label, choices, value, onChoice, children } = props
  const tabs = useRef<HTMLDivElement>(null)
  // A row of tabs that is wider than the screen shows the one that is chosen.
  useEffect(() => {
    const tab = tabs.current?.querySelector("[aria-selected='true']")
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [value])
  return (
    <MantineTabs
      unstyled
      keepMounted={false}
      value={value}
      onChange={(choice) => onChoice(choice as Choice)}
    >
      <MantineTabs.List ref={tabs} className={styles.tabs} aria-label={label}>
        {(Object.entries(choices) as [Choice, string][]).map(([choice, text]) => (
          <MantineTabs.Tab key={choice} value={choice}>
            {text}
          </MantineTabs.Tab>
        ))}
      </MantineTabs.List>
      <MantineTabs.Panel value={value} className={styles.panel}>
        {children}
      </MantineTabs.Panel>
    </MantineTabs>
  )
}
