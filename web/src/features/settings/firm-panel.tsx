import { useQuery } from "@tanstack/react-query"
import type { ComponentType } from "react"
import { firmDetailsQuery } from "@/api/shared-queries"
import { ErrorNote, Loading } from "@/ui/states"
import type { FirmDetails } from "./queries"

/** Fetches the firm's details for a form, which starts again when another version is saved. */
export function FirmPanel({ form: Form }: { form: ComponentType<{ firm: FirmDetails }> }) {
  const firm = useQuery(firmDetailsQuery)
  if (firm.isError && !firm.data)
    return <ErrorNote message="Failed to fetch data" onRetry={firm.refetch} />
  if (!firm.data) return <Loading />
  return <Form key={firm.data.version} firm={firm.data} />
}
