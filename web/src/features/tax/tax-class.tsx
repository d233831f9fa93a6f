import { toastError } from "@/parts/toast-error"
import { SelectField } from "@/ui/form/fields"
import { toast } from "@/ui/overlay/toast"
import { type StatedClass, type SurchargeClass, useStateClass } from "./queries"
import { classWords } from "./words"

interface TaxClassProps {
  clientId: string
  stated: StatedClass | undefined
}

/** The client's class of income, by which the surcharge goes; saved when another one is chosen. */
export function TaxClass({ clientId, stated }: TaxClassProps) {
  const save = useStateClass(clientId)
  const shown = save.isPending ? save.variables.income : stated?.income
  return (
    <SelectField
      label="Income class"
      options={classWords}
      value={shown ?? ""}
      disabled={stated === undefined}
      onChange={(event) => {
        if (stated === undefined || save.isPending) return
        const chosen = event.currentTarget.value as SurchargeClass | ""
        save.mutate(
          { income: chosen === "" ? null : chosen, version: stated.version },
          { onSuccess: () => toast.success("Income class saved"), onError: toastError },
        )
      }}
    />
  )
}
