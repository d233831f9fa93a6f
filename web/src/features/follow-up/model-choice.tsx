import { SelectField } from "@/ui/form/fields"

interface ModelChoiceProps {
  /** The names of the models that advice was sent for. */
  models: string[]
  value: string
  onChange: (model: string) => void
}

/** Shows the advice of one model alone. */
export function ModelChoice({ models, value, onChange }: ModelChoiceProps) {
  const names = value === "" || models.includes(value) ? models : [value, ...models]
  return (
    <SelectField
      label="Model"
      hideLabel
      placeholder="All models"
      options={Object.fromEntries(names.map((name) => [name, name]))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
