import { Card, Screen } from "@/ui/card"
import { Field, TextField } from "@/ui/form/fields"
import type { useZodForm } from "@/ui/form/use-zod-form"
import * as z from "zod/mini"

const required = (name: string, most: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `${name} is required`),
      z.maxLength(most, `${name} is too long`),
    )

/** The texts published with the stocks; the regulator requires all of them. */
export const versionTexts = (isNew: boolean) =>
  z.object({
    name: isNew ? required("Name", 120) : z.string(),
    rationale: required("Rationale", 5000),
    benchmark: required("Benchmark", 120),
    universe: required("Universe", 2000),
    selectionMethod: required("Selection method", 2000),
    risks: required("Risks", 2000),
  })

interface VersionTextFieldsProps {
  form: ReturnType<typeof useZodForm<ReturnType<typeof versionTexts>>>
  /** A new model has a name to fill in. */
  isNew: boolean
}

/** The texts of a version. */
export function VersionTextFields({ form, isNew }: VersionTextFieldsProps) {
  return (
    <Card title="About this version" note="Saved in the permanent record">
      <Screen>
        {isNew && (
          <Field
            label="Name"
            placeholder="Large Cap Quality"
            description="The name must reflect what it holds."
            maxLength={120}
            {...form.field("name")}
          />
        )}
        <TextField
          label="Rationale"
          placeholder="Why these stocks, why now? Shown in the clients' letters"
          minRows={4}
          maxLength={5000}
          {...form.field("rationale")}
        />
        <Field
          label="Benchmark"
          placeholder="Nifty 50 TRI"
          maxLength={120}
          description="Keep the same benchmark across versions where possible."
          {...form.field("benchmark")}
        />
        <TextField
          label="Universe"
          placeholder="Which stocks could have been chosen"
          minRows={2}
          maxLength={2000}
          {...form.field("universe")}
        />
        <TextField
          label="Selection method"
          placeholder="How the stocks and their shares are chosen"
          minRows={3}
          maxLength={2000}
          {...form.field("selectionMethod")}
        />
        <TextField
          label="Risks"
          placeholder="What can go wrong"
          minRows={3}
          maxLength={2000}
          {...form.field("risks")}
        />
      </Screen>
    </Card>
  )
}
