import { Popover } from "@mantine/core"
import { SlidersHorizontal } from "lucide-react"
import { useState } from "react"
import {
  optionNames,
  RebalanceOptionFields,
  type RebalanceOptions,
} from "@/parts/rebalance-options"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import styles from "./advice.module.css"
import { type AdviceDraft, draft } from "./draft"

/** The options that have no field here. */
const withoutFields = (options: RebalanceOptions): RebalanceOptions =>
  Object.fromEntries(
    Object.entries(options).filter(([name]) => !(optionNames as readonly string[]).includes(name)),
  )

/** How the trades are computed; the firm's settings apply to the options that are not set. */
export function OptionsPopover({ advice }: { advice: AdviceDraft }) {
  const [isOpen, setIsOpen] = useState(false)
  const changed = optionNames.filter((name) => name in advice.options).length
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      width={300}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button
          icon={<SlidersHorizontal size={15} />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          Options{changed > 0 ? ` (${changed})` : ""}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Options">
        <OptionsForm advice={advice} onDone={() => setIsOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

function OptionsForm({ advice, onDone }: { advice: AdviceDraft; onDone: () => void }) {
  const [options, setOptions] = useState(advice.options)
  const apply = (next: RebalanceOptions) => {
    onDone()
    draft.edit({ options: next })
  }
  return (
    <form
      className={styles.options}
      onSubmit={(event) => {
        event.preventDefault()
        apply(options)
      }}
    >
      <RebalanceOptionFields isFull options={options} onChange={setOptions} />
      <Actions>
        <Button onClick={() => apply(withoutFields(advice.options))}>Firm&apos;s settings</Button>
        <Button kind="primary" type="submit">
          Recompute
        </Button>
      </Actions>
    </form>
  )
}
