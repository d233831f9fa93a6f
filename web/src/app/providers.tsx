import { MantineProvider } from "@mantine/core"
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useAppearance } from "@/ui/appearance"
import { ConfirmHost } from "@/ui/overlay/confirm"
import { Toasts } from "@/ui/overlay/toasts"
import { StepUpHost } from "./step-up-host"
import { theme } from "./theme"

/** The providers of every screen. Mantine writes no style tags: the content security policy forbids them. */
export function Providers({
  queryClient,
  env = "default",
  children,
}: {
  queryClient: QueryClient
  /** `test` leaves out transitions, and what needs a real layout. */
  env?: "default" | "test"
  children: ReactNode
}) {
  const { shown } = useAppearance()
  return (
    <MantineProvider
      theme={theme}
      env={env}
      forceColorScheme={shown}
      withCssVariables={false}
      withGlobalClasses={false}
      deduplicateInlineStyles
    >
      <QueryClientProvider client={queryClient}>
        {children}
        <StepUpHost />
      </QueryClientProvider>
      <section id="overlays" aria-label="Menus and dialogs" />
      <ConfirmHost />
      <Toasts />
    </MantineProvider>
  )
}
