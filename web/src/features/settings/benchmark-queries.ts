import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, asForm, dataOf, messageFrom } from "@/api/client"
import type { components } from "@/api/schema"
import { toast } from "@/ui/overlay/toast"
import { toastFailure } from "./queries"

type Schemas = components["schemas"]
export type Benchmarks = Schemas["BenchmarkOverview"]
export type BenchmarkRow = Schemas["BenchmarkCoverage"]
export type BenchmarkReport = Schemas["BenchmarkImportReport"]

export const benchmarksQuery = queryOptions({
  queryKey: ["settings", "benchmarks"],
  queryFn: () => dataOf(api.GET("/admin/benchmarks")),
  staleTime: 0,
})

/** Every comparison of every client and model may change with the benchmark. */
function useRefreshAll() {
  const cache = useQueryClient()
  return () => cache.invalidateQueries()
}

export function useChooseBenchmark() {
  return useMutation({
    mutationFn: (body: Schemas["ChosenBenchmark"]) =>
      answerOf(api.PUT("/admin/settings/benchmark", { body })),
    onError: toastFailure,
    onSuccess: ({ message }) => toast.success(message ?? "Benchmark saved"),
    onSettled: useRefreshAll(),
  })
}

export function useDeleteBenchmark() {
  return useMutation({
    mutationFn: (id: string) =>
      messageFrom(
        api.DELETE("/admin/benchmarks/{benchmark_id}", {
          params: { path: { benchmark_id: id } },
        }),
      ),
    onError: toastFailure,
    onSuccess: (message) => toast.success(message),
    onSettled: useRefreshAll(),
  })
}

interface ImportRequest {
  file: File
  isDryRun: boolean
  /** The index of a file with several; empty for the only one. */
  name: string
  replaces: boolean
}

export function useImportBenchmark() {
  const refresh = useRefreshAll()
  return useMutation({
    mutationFn: ({ file, isDryRun, name, replaces }: ImportRequest) => {
      const fields = { name, replaceChanged: replaces, dryRun: isDryRun }
      return dataOf(
        api.POST("/admin/imports/benchmark", {
          // The schema types a file as text; the form below is what is sent.
          body: { file: file.name, ...fields },
          bodySerializer: () => asForm({ file, ...fields }),
        }),
      )
    },
    onSuccess: (_, { isDryRun }) => (isDryRun ? undefined : refresh()),
  })
}
