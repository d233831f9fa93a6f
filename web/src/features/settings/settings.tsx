import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { useSession } from "@/api/use-session"
import { usePageTitle } from "@/ui/page-title"
import { Loading } from "@/ui/states"
import { Tabs } from "@/ui/tabs"
import { OwnSettings } from "./own-settings"
import { type Section, tabs } from "./sections"

const FirmSettings = lazy(() => import("./firm-details"))
const Disclosures = lazy(() => import("./disclosures"))
const Rationales = lazy(() => import("./rationales"))
const Mail = lazy(() => import("./mail"))
const SignIn = lazy(() => import("./sign-in-settings"))
const SendGuards = lazy(() => import("./send-guards"))
const SecondApproval = lazy(() => import("./second-approval"))
const Teams = lazy(() => import("./teams"))
const ConsentTexts = lazy(() => import("./consent-texts"))
const FollowUp = lazy(() => import("./follow-up-settings"))
const Invoices = lazy(() => import("./invoice-settings"))
const Holidays = lazy(() => import("./holidays"))
const Prices = lazy(() => import("./price-sources"))
const Benchmark = lazy(() => import("./benchmark"))
const PastPerformance = lazy(() => import("./past-performance"))
const Charges = lazy(() => import("./charges"))
const TaxRates = lazy(() => import("./tax-rates"))
const FeeSchedule = lazy(() =>
  import("./fee-schedule").then(({ FeeScheduleCard }) => ({ default: FeeScheduleCard })),
)

const panels: Record<Exclude<Section, "prices">, React.ComponentType> = {
  profile: OwnSettings,
  firm: FirmSettings,
  disclosures: Disclosures,
  rationales: Rationales,
  mail: Mail,
  signIn: SignIn,
  guards: SendGuards,
  approvals: SecondApproval,
  teams: Teams,
  consents: ConsentTexts,
  followUp: FollowUp,
  fees: FeeSchedule,
  invoices: Invoices,
  holidays: Holidays,
  charges: Charges,
  taxRates: TaxRates,
  benchmark: Benchmark,
  pastPerformance: PastPerformance,
}

interface SettingsProps {
  /** The dialog that imports closing prices, from another feature. */
  importPrices: React.ComponentType<{ onClose: () => void }>
}

/** The person's own settings, and for an ADMIN those of the firm. */
export function Settings({ importPrices }: SettingsProps) {
  usePageTitle("Settings")
  const isAdmin = useSession("role") === "ADMIN"
  const { section = "profile" } = useSearch({ from: "/home/settings" })
  const navigate = useNavigate()
  if (!isAdmin) return <OwnSettings />
  const Panel = section === "prices" ? null : panels[section]
  return (
    <Tabs<keyof typeof tabs>
      label="Settings"
      choices={tabs}
      value={section}
      onChoice={(chosen) =>
        void (chosen === "audit"
          ? navigate({ to: "/home/audit" })
          : navigate({
              to: "/home/settings",
              search: chosen === "profile" ? {} : { section: chosen },
              replace: true,
            }))
      }
    >
      <Suspense fallback={<Loading />}>
        {Panel ? <Panel /> : <Prices importDialog={importPrices} />}
      </Suspense>
    </Tabs>
  )
}
