import { Checkbox } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import * as z from "zod/mini"
import { Card, Screen } from "@/ui/card"
import { Field } from "@/ui/form/fields"
import { PercentField } from "@/ui/form/number-fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { ErrorNote, Loading } from "@/ui/states"
import {
  type EditedFollowUp,
  type FollowUpDetails,
  followUpSettingsQuery,
  useSaveFollowUp,
} from "./follow-up-queries"
import styles from "./settings.module.css"
import { UndoAndSave } from "@/ui/form/undo-and-save"

const whole = (pattern: RegExp, message: string) =>
  z.string().check(z.trim(), z.regex(pattern, message))
const percent = (most: number) =>
  z
    .number("Enter a percentage")
    .check(z.minimum(0, "Enter a percentage"), z.maximum(most, `At most ${most}%`))

/** A limit that may be left empty; then it is off. */
const limit = z.union([z.literal(""), percent(100)], "Enter at most 100%, or nothing")

const MOST_LIMIT = 20

const schema = z.object({
  windowDays: whole(/^([1-9]|[12]\d|30)$/, "Enter 1 to 30 business days"),
  tolerance: whole(/^(\d{1,3}|1000)$/, "Enter 0 to 1000 shares"),
  sendsReminders: z.boolean(),
  mailsLinks: z.boolean(),
  basketRows: whole(/^([1-9]|[1-4]\d|50)$/, "Enter 1 to 50 orders"),
  limitPercentage: percent(MOST_LIMIT),
  trackingLimitPercentage: limit,
  idleCashLimitPercentage: limit,
})

const draftOf = (details: FollowUpDetails) => ({
  ...details,
  windowDays: String(details.windowDays),
  tolerance: String(details.tolerance),
  basketRows: String(details.basketRows),
  trackingLimitPercentage: details.trackingLimitPercentage ?? ("" as const),
  idleCashLimitPercentage: details.idleCashLimitPercentage ?? ("" as const),
})

const limitOf = (entered: number | "") => (entered === "" ? null : entered)

const sentOf = (draft: z.output<typeof schema>, version: number): EditedFollowUp => ({
  ...draft,
  windowDays: Number(draft.windowDays),
  tolerance: Number(draft.tolerance),
  basketRows: Number(draft.basketRows),
  trackingLimitPercentage: limitOf(draft.trackingLimitPercentage),
  idleCashLimitPercentage: limitOf(draft.idleCashLimitPercentage),
  version,
})

/** How long advice is followed, when clients are reminded, and what their page offers. */
export default function FollowUpSettings() {
  const details = useQuery(followUpSettingsQuery)
  if (details.isError && !details.data)
    return <ErrorNote message="Failed to fetch data" onRetry={details.refetch} />
  if (!details.data) return <Loading />
  return <FollowUpForm key={details.data.version} details={details.data} />
}

function FollowUpForm({ details }: { details: FollowUpDetails }) {
  const save = useSaveFollowUp()
  const form = useZodForm(
    schema,
    (draft) => save.mutateAsync(sentOf(draft, details.version)),
    draftOf(details),
  )
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Screen>
        <Card title="Matching" note="Which trades count for an advice.">
          <div className={styles.fields}>
            <Field
              label="Window (business days)"
              inputMode="numeric"
              description="After the day of the sending, 1 to 30. Later trades do not count."
              {...form.field("windowDays")}
            />
            <Field
              label="Tolerance (shares)"
              inputMode="numeric"
              description="A line is done if at most so many shares are missing."
              {...form.field("tolerance")}
            />
          </div>
        </Card>
        <Card title="Mails to clients">
          <div className={styles.choices}>
            <Checkbox
              label="Send reminders"
              description="After one and three business days, while something is open and not declined. A client can be left out in the profile."
              size="sm"
              checked={form.values.sendsReminders}
              onChange={(event) => form.set({ sendsReminders: event.currentTarget.checked })}
            />
            <Checkbox
              label="Put the client’s link in mails"
              description="The client opens the advice with a code mailed to the same address."
              size="sm"
              checked={form.values.mailsLinks}
              onChange={(event) => form.set({ mailsLinks: event.currentTarget.checked })}
            />
          </div>
        </Card>
        <Card title="Orders on the client’s page">
          <div className={styles.fields}>
            <Field
              label="Orders in one basket"
              inputMode="numeric"
              description="More orders go to the broker in several baskets."
              {...form.field("basketRows")}
            />
            <PercentField
              label="Limit price: distance from the last price"
              max={MOST_LIMIT}
              description="Above it for purchases, below it for sales."
              {...form.field("limitPercentage")}
            />
          </div>
        </Card>
        <Card
          title="Follow-up drafts"
          note="When the window ends and the advice was traded in part, what is left is drafted at current prices for the person who sent it. Nothing is sent automatically. With both limits empty, no drafts are made."
        >
          <div className={styles.fields}>
            <PercentField
              label="Tracking error limit"
              description="A draft is made if the tracking error is higher than the closest possible by more than this. Empty: off."
              {...form.field("trackingLimitPercentage")}
            />
            <PercentField
              label="Idle cash limit"
              description="A draft is made if more of the Investment Value than this is cash to invest. Empty: off."
              {...form.field("idleCashLimitPercentage")}
            />
          </div>
        </Card>
      </Screen>
      <UndoAndSave form={form} />
    </form>
  )
}
