import { SelectField } from "@/ui/form/fields"
import styles from "./book.module.css"
import { useModels } from "@/parts/models"

interface ModelChoiceProps {
  /** The id of a model; empty for all. */
  value: string
  onChoice: (model: string) => void
}

/** Filters a list by model. */
export function ModelChoice({ value, onChoice }: ModelChoiceProps) {
  const { data } = useModels()
  const options = Object.fromEntries((data?.data ?? []).map(({ _id, name }) => [_id, name]))
  return (
    <div className={styles.choice}>
      <SelectField
        label="Model"
        hideLabel
        placeholder="All models"
        options={options}
        value={value}
        onChange={(event) => onChoice(event.currentTarget.value)}
      />
    </div>
  )
}
