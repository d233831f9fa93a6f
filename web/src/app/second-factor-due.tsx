import { useNavigate, useSearch } from "@tanstack/react-router"
import { AuthPage } from "@/features/auth/auth-page"
import { SecondFactorSetUp } from "@/features/settings/second-factor-set-up"
import { usePageTitle } from "@/ui/page-title"

/** Where a role needs a second factor, it is set up before the product opens. */
export function SecondFactorDue() {
  usePageTitle("Set up the second factor")
  const navigate = useNavigate()
  const { next } = useSearch({ from: "/auth/second-factor" })
  return (
    <AuthPage title="Set up the second factor" lead="Your role needs one to continue.">
      <SecondFactorSetUp onDone={() => void navigate({ href: next ?? "/home", replace: true })} />
    </AuthPage>
  )
}
