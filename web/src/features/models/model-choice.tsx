import { useQuery } from "@tanstack/react-query"
import { SelectField } from "@/ui/form/fields"
import styles from "./models.module.css"
import { modelsQuery } from "./queries"

/** As many models as a list of choices can hold. */
const MOST_CHOICES = 200

/** All models by name. */
export const useModels = () =>
  useQuery(modelsQuery({ page: 1, limit: MOST_CHOICES, query: "", status: "" }))

/** Which model's rows are shown. */
export function ModelChoice({
  value,
  onChoice,
}: {
  value: string
  onChoice: (model: string) => void
}) {
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
