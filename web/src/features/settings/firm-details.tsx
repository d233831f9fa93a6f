import { Checkbox } from "@mantine/core"
import { Card, Screen } from "@/ui/card"
import { DateField } from "@/ui/form/date-field"
import { Field, TextField } from "@/ui/form/fields"
import { MoneyField, PercentField, RateField } from "@/ui/form/number-fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { draftOf, firmSchema, sentOf } from "./firm-draft"
import { FirmPanel } from "./firm-panel"
import { LetterPictures } from "./letter-pictures"
import { type FirmDetails, useSaveFirm } from "./queries"
import styles from "./settings.module.css"
import { UndoAndSave } from "@/ui/form/undo-and-save"

/** The firm's registration, the texts of its letters, and its defaults for rebalances. */
export default function FirmSettings() {
  return <FirmPanel form={FirmForm} />
}

function useFirmForm(firm: FirmDetails) {
  const save = useSaveFirm()
  return useZodForm(
    firmSchema,
    (draft) => save.mutateAsync(sentOf(draft, firm.version)),
    draftOf(firm),
  )
}

type FirmFormState = ReturnType<typeof useFirmForm>

function FirmForm({ firm }: { firm: FirmDetails }) {
  const form = useFirmForm(firm)
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Screen>
        <RegistrationFields form={form} />
        <LetterPictures firm={firm} />
        <TextFields form={form} />
        <AdviceFields form={form} />
      </Screen>
      <UndoAndSave form={form} />
    </form>
  )
}

const RegistrationFields = ({ form }: { form: FirmFormState }) => (
  <Card title="Registration">
    <div className={styles.fields}>
      <Field label="Firm name" {...form.field("name")} />
      <Field label="Registration number" {...form.field("registrationNumber")} />
      <Field label="Analyst name" {...form.field("analystName")} />
      <Field
        label="Designation"
        description="Shown below the signature. If empty: Research Analyst."
        {...form.field("designation")}
      />
      <DateField label="Valid from" {...form.field("registeredFrom")} />
      <Field label="Validity" {...form.field("validity")} />
      <DateField
        label="Renewal date"
        description="The last day for the five-yearly renewal."
        {...form.field("renewalOn")}
      />
      <Field label="Contact" {...form.field("contact")} />
      <div className={styles.whole}>
        <TextField label="Address" minRows={2} {...form.field("address")} />
      </div>
    </div>
  </Card>
)

const TextFields = ({ form }: { form: FirmFormState }) => (
  <Card title="Letters and mails" note="Each advice keeps the texts it was sent with.">
    <div className={styles.fields}>
      <div className={styles.whole}>
        <TextField
          label="Standard warning"
          minRows={2}
          description="The regulator's wording: change it only when the regulator does."
          {...form.field("standardWarning")}
        />
      </div>
      <div className={styles.whole}>
        <TextField
          label="No assurance of returns"
          minRows={3}
          description="The regulator's wording, as above."
          {...form.field("noAssurance")}
        />
      </div>
      <div className={styles.whole}>
        <TextField
          label="Standard warning in Hindi"
          minRows={2}
          description="Sent to clients whose language is Hindi."
          {...form.field("standardWarningHi")}
        />
      </div>
      <div className={styles.whole}>
        <TextField
          label="No assurance of returns in Hindi"
          minRows={3}
          {...form.field("noAssuranceHi")}
        />
      </div>
      <div className={styles.whole}>
        <TextField
          label="Use of AI"
          minRows={2}
          maxLength={2000}
          description={
            form.values.aiUse.trim() === ""
              ? "Not answered: letters say nothing about it. State how far AI tools are used, or that none are."
              : "A disclosure in every letter. Change it when the use changes."
          }
          {...form.field("aiUse")}
        />
      </div>
      <div className={styles.whole}>
        <TextField
          label="Use of AI in Hindi"
          minRows={2}
          maxLength={2000}
          description="If empty, the English text is used."
          {...form.field("aiUseHi")}
        />
      </div>
      <Field
        label="Advice is valid for (business days)"
        inputMode="numeric"
        description="After the day of the sending; the letter names the last day."
        {...form.field("adviceDays")}
      />
      <Checkbox
        label="Require a rationale for every advice"
        size="sm"
        checked={form.values.rationaleRequired}
        onChange={(event) => form.set({ rationaleRequired: event.currentTarget.checked })}
      />
    </div>
  </Card>
)

const AdviceFields = ({ form }: { form: FirmFormState }) => (
  <Card title="Rebalances" note="Defaults; the advice form can override them.">
    <div className={styles.fields}>
      <PercentField
        label="Ignore drift below"
        description="Stocks with a smaller drift are not traded."
        {...form.field("bandPercentage")}
      />
      <MoneyField
        label="Skip trades under"
        description="Smaller trades are not advised, to one client or in a run."
        {...form.field("minimumTradeValue")}
      />
      <MoneyField
        label="Smallest trade in advice to one client"
        description="Used where it is larger than the value for all trades."
        {...form.field("adviceMinimumTradeValue")}
      />
      <PercentField
        label="Price buffer"
        description="Cash reserved on purchases in case prices rise."
        {...form.field("priceBufferPercentage")}
      />
      <PercentField
        label="Price tolerance"
        description="If a price has moved further since the rebalance, the advice is not sent."
        {...form.field("priceTolerancePercentage")}
      />
      <Field
        label="Maximum age of prices (minutes)"
        inputMode="numeric"
        description="During market hours. Advice with older prices is not sent."
        {...form.field("priceMinutes")}
      />
      <RateField
        label="Trade penalty (λ)"
        unit="none"
        description="How much a trade must improve the portfolio before it is made."
        {...form.field("tradePenalty")}
      />
      <PercentField
        label="Usable sale proceeds"
        description="The part of a day's sales that can pay for purchases on the same day."
        {...form.field("usableProceedsPercentage")}
      />
      <div className={styles.choices}>
        <Checkbox
          label="Advise sales of pledged shares"
          size="sm"
          checked={form.values.sellsPledged}
          onChange={(event) => form.set({ sellsPledged: event.currentTarget.checked })}
        />
        <Checkbox
          label="Limit purchases to cash and usable sale proceeds"
          size="sm"
          checked={form.values.limitsPurchases}
          onChange={(event) => form.set({ limitsPurchases: event.currentTarget.checked })}
        />
        <Checkbox
          label="Include charges in the budget"
          size="sm"
          checked={form.values.includeCharges}
          onChange={(event) => form.set({ includeCharges: event.currentTarget.checked })}
        />
        <Checkbox
          label="Allow fresh funds"
          size="sm"
          checked={form.values.allowFreshFunds}
          onChange={(event) => form.set({ allowFreshFunds: event.currentTarget.checked })}
        />
      </div>
    </div>
  </Card>
)
