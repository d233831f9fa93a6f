import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Plug } from "lucide-react"
import { type ComponentProps, useEffect, useState } from "react"
import { api, dataOf, messageOf } from "@/api/client"
import { session } from "@/api/session"
import { brokerQuery, brokersQuery } from "@/api/shared-queries"
import { leaveTo } from "@/lib/leave"
import { Button } from "@/ui/button"
import { ButtonMenu } from "@/ui/overlay/menu"
import { toastCentre } from "@/ui/overlay/toast"

type BrokerName = "ZERODHA" | "ANGEL_ONE"

const labels: Record<BrokerName, string> = { ZERODHA: "Zerodha", ANGEL_ONE: "Angel One" }
const failed = "Failed to connect broker"

const inUse = <Broker extends { status: string }>(brokers: Broker[]) =>
  brokers.filter((each) => each.status === "ACTIVE")

function toastFailure(error: unknown) {
  const reason = messageOf(error, "")
  toastCentre.error(failed, { detail: reason === failed ? undefined : reason })
}

/** What the return page saved besides the token; empty when it cannot be read. */
function savedLogin(): { state?: string; refreshToken?: string; feedToken?: string } {
  try {
    const login: unknown = JSON.parse(session.get("brokerLogin") ?? "{}")
    return typeof login === "object" && login !== null ? login : {}
  } catch {
    return {}
  }
}

/** Sends the token that the return page saved in this tab; it is removed first, so that it is sent once. */
function useSavedToken() {
  const cache = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (requestToken: string) => {
      const body = { ...savedLogin(), requestToken }
      session.remove("brokerToken")
      session.remove("brokerLogin")
      return dataOf(api.POST("/admin/broker/connect", { body }))
    },
    onSuccess: async (connection) => {
      // A request started before the connection would still answer that there is none.
      await cache.cancelQueries({ queryKey: brokerQuery.queryKey })
      cache.setQueryData(brokerQuery.queryKey, connection)
      toastCentre.success("Broker connected successfully")
    },
    onError: toastFailure,
  })
  useEffect(() => {
    const token = session.get("brokerToken")
    if (token !== null) mutate(token)
  }, [mutate])
  return isPending
}

/**
 * Opens the broker's log-in in a new tab. The empty tab is opened on the click itself: it gets a copy of this
 * tab's session, which the return page needs. If the browser blocks it, this tab goes to the broker; the draft
 * is kept.
 */
function useBrokerLogin() {
  const [isOpening, setIsOpening] = useState(false)
  const open = async (broker?: BrokerName) => {
    const tab = window.open("about:blank", "_blank")
    setIsOpening(true)
    try {
      const { url } = await dataOf(
        api.GET("/admin/broker/login-url", { params: { query: { broker } } }),
      )
      if (tab) tab.location.replace(url)
      else leaveTo(url)
    } catch (error) {
      tab?.close()
      toastFailure(error)
    } finally {
      setIsOpening(false)
    }
  }
  return { open, isOpening }
}

const picture = <Plug size={15} />

interface ConnectButtonProps extends Omit<ComponentProps<typeof Button>, "children" | "icon"> {
  hasMenu: boolean
}

/** The button, which opens a menu if there are several brokers; only then is it announced as one. */
const ConnectButton = ({ hasMenu, ...fromMenu }: ConnectButtonProps) => (
  <Button icon={picture} {...fromMenu} {...(hasMenu ? {} : noMenu)}>
    Connect Broker
  </Button>
)

const noMenu = { "aria-haspopup": undefined, "aria-expanded": undefined }

/** Shows that a broker is connected, or opens the log-in of a broker in use. */
export function BrokerButton() {
  const cache = useQueryClient()
  const isSending = useSavedToken()
  const { open, isOpening } = useBrokerLogin()
  const { data: broker } = useQuery(brokerQuery)
  const { data: brokers = [] } = useQuery(brokersQuery)
  const [isWaiting, setIsWaiting] = useState(false)
  /** Whether there is something to choose from; one broker is opened at once. */
  const press = async () => {
    setIsWaiting(true)
    try {
      // Waits for the brokers if they are not loaded yet.
      const known = inUse(await cache.query({ ...brokersQuery, staleTime: "static" }))
      if (known.length > 1) return true
      void open()
      return false
    } catch (error) {
      toastFailure(error)
      return false
    } finally {
      setIsWaiting(false)
    }
  }
  if (broker?.isConnected === true)
    return (
      <Button icon={picture} disabled>
        Broker Connected
      </Button>
    )
  const choices = inUse(brokers)
  // One button in all states, so that a press is not lost when the state changes.
  return (
    <ButtonMenu
      label="Connect Broker"
      mayOpen={press}
      button={
        <ConnectButton isBusy={isSending || isOpening || isWaiting} hasMenu={choices.length > 1} />
      }
      entries={choices.map(({ name }) => ({
        label: labels[name],
        onSelect: () => void open(name),
      }))}
    />
  )
}
