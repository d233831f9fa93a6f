import { useQueryClient } from "@tanstack/react-query"
import { useLocation, useNavigate } from "@tanstack/react-router"
import { Eye, Scale } from "lucide-react"
import { useCallback, useEffect, useSyncExternalStore } from "react"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { GoTo } from "@/ui/go-to"
import { usePageTitle } from "@/ui/page-title"
import { toastCentre } from "@/ui/overlay/toast"
import { useIsPhone } from "@/ui/use-media"
import styles from "./advice.module.css"
import { AllocationMeter } from "./allocation-meter"
import { ClientBar } from "./client-bar"
import { clientLoading, draft } from "./draft"
import { DraftState } from "./draft-state"
import { EarlierDraftNotice, HoldingsNotice } from "./earlier-draft-notice"
import { ModeChoice, refusalOfMode } from "./mode-choice"
import { NoHoldings } from "./no-holdings"
import { questionOf, rebalances } from "./queries"
import { UnansweredSend } from "./send-dialog"
import { StartFrom } from "./start-from"
import { startFromFollowUp } from "./start-follow-up"
import { startFromAdvice } from "./starts"
import { TableFoot, TargetTable } from "./target-table"
import { refusalOfAll } from "./targets"
import { isClientCode, useAdvice, useClientCode } from "./use-advice"
import { useAdviceKeys } from "./use-advice-keys"

/** The advice form: a client, an Investment Value, and a target for each stock. */
export function AdviceForm() {
  const advice = useAdvice()
  const isLoading = useSyncExternalStore(clientLoading.subscribe, clientLoading.get)
  const isPhone = useIsPhone()
  const { type, load, restore, drop, discard } = usePrefill()
  const rebalance = useRebalancing()
  useAdviceKeys(rebalance)
  usePageTitle("Advice", advice.client?.name)

  const { username, client, rows, investment } = advice
  const hasFailed = isClientCode(username) && !client && !isLoading
  const empty = {
    title: "No Data Available",
    hint: hasFailed
      ? `${username} has no holdings or cash yet. Import holdings or enter cash.`
      : "Type a client code, C and four digits, or a name to load the holdings.",
    action: hasFailed ? (
      <NoHoldings code={username} onRetry={() => void load(username)} />
    ) : (
      <GoTo to="/home/client/details">Choose from all clients</GoTo>
    ),
  }
  return (
    <Screen>
      <UnansweredSend />
      <EarlierDraftNotice advice={advice} onRestore={restore} onDrop={drop} />
      <HoldingsNotice advice={advice} />
      <Card flush>
        <ClientBar advice={advice} isLoading={isLoading} onCode={type} />
        {client && <ModeChoice advice={advice} />}
        <AllocationMeter rows={rows} />
        {client && <StartFrom rows={rows} isMenu={false} />}
        {isPhone && <DraftState advice={advice} onDiscard={discard} />}
        <TargetTable rows={isLoading ? undefined : rows} investment={investment} empty={empty} />
        <div className={styles.foot}>
          <TableFoot rows={rows} />
          {!isPhone && <DraftState advice={advice} onDiscard={discard} />}
          <div className={styles.acts}>
            {!isPhone && (
              <Button
                icon={<Eye size={15} />}
                disabled={!client}
                onClick={() => rebalance("/home/advice-preview")}
              >
                Preview
              </Button>
            )}
            <Button
              kind="primary"
              icon={<Scale size={15} />}
              disabled={!client}
              title="Ctrl Enter"
              onClick={() => rebalance()}
            >
              Rebalance Portfolio
            </Button>
          </div>
        </div>
      </Card>
    </Screen>
  )
}

/** Loads the client that the navigation names, once, with the targets of an advice or of what is left of one; otherwise refreshes the draft. */
function usePrefill() {
  const { refresh, ...code } = useClientCode()
  const { type, load } = code
  const { username, adviceId, followUpOf, __TSR_key: origin = "" } = useLocation().state
  useEffect(() => {
    const { origin: seen, client, username: typed } = draft.get()
    if (username !== undefined && origin !== seen) {
      if (client?.code === username) draft.change({ origin })
      const loaded = client?.code === username ? Promise.resolve() : type(username, origin)
      if (adviceId !== undefined) void loaded.then(() => startFromAdvice(adviceId))
      if (followUpOf !== undefined) void loaded.then(() => startFromFollowUp(followUpOf))
    } else if (client) void refresh(client.code)
    else if (isClientCode(typed)) void load(typed)
  }, [username, adviceId, followUpOf, origin, type, load, refresh])
  return code
}

type ResultScreen = "/home/advice-rebalance" | "/home/advice-preview"

/** Opens the result, which is computed again. */
function useRebalancing() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  return useCallback(
    (to: ResultScreen = "/home/advice-rebalance") => {
      const { client, rows, investment } = draft.get()
      if (!client) return
      if (questionOf(draft.get()) === null && investment !== "" && investment > 0) {
        toastCentre.warning("Set a target allocation for at least one row.")
        return
      }
      const refusal = refusalOfAll(rows, investment) ?? refusalOfMode(draft.get())
      if (refusal !== null) {
        toastCentre.error(refusal)
        return
      }
      cache.removeQueries({ queryKey: rebalances })
      void navigate({ to })
    },
    [navigate, cache],
  )
}
