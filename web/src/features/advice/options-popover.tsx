import { Popover } from "@mantine/core"
import { SlidersHorizontal } from "lucide-react"
import { useState } from "react"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import { SelectField } from "@/ui/form/fields"
import { MoneyField, PercentField } from "@/ui/form/number-fields"
import styles from "./advice.module.css"
import { type AdviceDraft, draft, type Options } from "./draft"

const FIRM = "Firm's setting"
const answers = { yes: "Yes", no: "No" }
const answerOf = (choice: boolean | undefined) =>
  choice === undefined ? "" : choice ? "yes" : "no"
const choiceOf = (answer: string) => (answer === "" ? "" : answer === "yes")

const TWENTY_FIVE_LAKH = 2_500_000

/** Options for fewer orders with slightly more tracking error; a large portfolio needs the narrower band. */
export const fewerOrders = (investment: number | ""): Options => ({
  bandPercentage: investment === "" || investment <= TWENTY_FIVE_LAKH ? 0.25 : 0.1,
  minimumTradeValue: 1000,
})

/** How the trades are computed; the firm's settings apply to the options that are not set. */
export function OptionsPopover({ advice }: { advice: AdviceDraft }) {
  const [isOpen, setIsOpen] = useState(false)
  const changed = Object.keys(advice.options).length
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
          icon={<SlidersHorizontal size={15} aria-hidden="true" />}
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

/** The options without those that are not set. */
const setOptionsOf = (options: Record<keyof Options, Options[keyof Options] | "">) =>
  Object.fromEntries(
    Object.entries(options).filter(([, choice]) => choice !== "" && choice !== undefined),
  ) as Options

function OptionsForm({ advice, onDone }: { advice: AdviceDraft; onDone: () => void }) {
  const [options, setOptions] = useState(advice.options)
  const { bandPercentage = "", minimumTradeValue = "", priceBufferPercentage = "" } = options
  const { includeCharges, allowFreshFunds } = options
  const change = (next: { [Name in keyof Options]?: Options[Name] | "" }) =>
    setOptions(setOptionsOf({ ...blank, ...options, ...next }))
  const apply = (next: Options) => {
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
      <Button onClick={() => apply({ ...options, ...fewerOrders(advice.investment) })}>
        Fewer orders
      </Button>
      <PercentField
        label="Ignore drift below"
        placeholder={FIRM}
        value={bandPercentage}
        onChange={(band) => change({ bandPercentage: band })}
        data-autofocus
      />
      <MoneyField
        label="Skip trades under"
        placeholder={FIRM}
        value={minimumTradeValue}
        onChange={(least) => change({ minimumTradeValue: least })}
      />
      <PercentField
        label="Price buffer on purchases"
        placeholder={FIRM}
        value={priceBufferPercentage}
        onChange={(buffer) => change({ priceBufferPercentage: buffer })}
      />
      <SelectField
        label="Include charges in the budget"
        placeholder={FIRM}
        options={answers}
        value={answerOf(includeCharges)}
        onChange={(event) => change({ includeCharges: choiceOf(event.currentTarget.value) })}
      />
      <SelectField
        label="Allow fresh funds"
        placeholder={FIRM}
        options={answers}
        value={answerOf(allowFreshFunds)}
        onChange={(event) => change({ allowFreshFunds: choiceOf(event.currentTarget.value) })}
      />
      <Actions>
        <Button onClick={() => apply({})}>Firm&apos;s settings</Button>
        <Button kind="primary" type="submit">
          Recompute
        </Button>
      </Actions>
    </form>
  )
}

const blank = {
  bandPercentage: "",
  minimumTradeValue: "",
  priceBufferPercentage: "",
  includeCharges: undefined,
  allowFreshFunds: undefined,
} as const
