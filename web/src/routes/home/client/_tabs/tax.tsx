import { createFileRoute } from "@tanstack/react-router"
import { session } from "@/api/session"
import { prefetch } from "@/app/prefetch"
import { ImportFile } from "@/features/portfolio/import-file"
import { gainsQuery, lotsQuery } from "@/features/tax/queries"
import { TaxTab } from "@/features/tax/tax-tab"
import { taxYears } from "@/features/tax/words"

export const Route = createFileRoute("/home/client/_tabs/tax")({
  validateSearch: (search): { year?: string } => ({
    year: taxYears().find((year) => year === search.year),
  }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => {
    const clientId = session.get("clientId")
    const year = yearOf(entry.deps)
    if (clientId !== null) prefetch(entry, gainsQuery(clientId, year), lotsQuery(clientId))
  },
  component: Tax,
})

const yearOf = ({ year }: { year?: string }) => year ?? taxYears()[0] ?? ""

/** Two features meet: the lots, and the import of trades. */
function Tax() {
  const navigate = Route.useNavigate()
  return (
    <TaxTab
      year={yearOf(Route.useSearch())}
      onYear={(year) =>
        void navigate({
          search: { year: year === taxYears()[0] ? undefined : year },
          replace: true,
        })
      }
      importTradebook={ImportTradebook}
    />
  )
}

const ImportTradebook = ({ clientId, onClose }: { clientId: string; onClose: () => void }) => (
  <ImportFile kind="trades" clientId={clientId} onClose={onClose} />
)
