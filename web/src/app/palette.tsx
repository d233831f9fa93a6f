import { Modal } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { createSpotlight, Spotlight } from "@mantine/spotlight"
import "@mantine/spotlight/styles.css"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { CircleUser, Eye, LogOut, Send, SunMoon, TrendingUp } from "lucide-react"
import { type ReactNode, useEffect, useState } from "react"
import { chooseClient } from "@/api/session"
import { clientsLikeQuery } from "@/api/shared-queries"
import { amountsHidden, price, shortRupees } from "@/lib/format"
import { lastPrice } from "@/live/use-last-price"
import { setAppearance, useAppearance } from "@/ui/appearance"
import { useLogOut } from "./log-out"
import styles from "./palette.module.css"
import { stocksLikeQuery } from "./palette-queries"
import { type Asked, askedIn, hasWords, wordsIn } from "./palette-words"
import { useRole } from "./use-role"
import { useScreens } from "./use-screens"

/** Clients that are offered. More are fetched: of several words, a client must have all. */
const MAX_CLIENTS = 6
const FETCHED_CLIENTS = 20
/** How many of the first matches also offer to send advice. */
const WITH_ADVICE = 2
/** In milliseconds. */
const SEARCH_DELAY = 200
const [store, palette] = createSpotlight()

interface Entry {
  key: string
  label: string
  description?: string
  icon: ReactNode
  keys?: string
  act: () => void
}

/** The keys of the entries chosen in this tab, newest first. */
const recent: string[] = []
const rank = (entry: Entry) => recent.indexOf(entry.key) + 1 || Number.MAX_SAFE_INTEGER

/** `Ctrl K`: clients by code or name, stocks, screens, actions; the most recently chosen first. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("")
  const [query, setQuery] = useState("")
  const searchLater = useDebouncedCallback(setQuery, SEARCH_DELAY)
  useEffect(() => palette.open(), [])

  const parsedQuery = askedIn(query)
  const clients = useClientEntries(parsedQuery)
  const stocks = useStockEntries(parsedQuery)
  const places = useScreenEntries()
  const actions = useActionEntries()
  const words = wordsIn(text)
  const matching = (entries: Entry[]) =>
    entries.filter((entry) => hasWords(entry.label.toLowerCase(), words))

  const groups = [
    { label: "Clients", entries: clients },
    { label: "Stocks", entries: stocks },
    { label: "Go to", entries: matching(places) },
    { label: "Actions", entries: matching(actions) },
  ].filter((group) => group.entries.length > 0)
  const shown = groups.flatMap(({ entries }) => entries.map((entry) => entry.key)).join(" ")
  useEffect(() => {
    // Results arrive after the typing: select the first, so that Enter opens it.
    const list = document.getElementById(store.getState().listId)
    if (!list || list.querySelector("[data-selected]")) return
    list.querySelector("[data-action]")?.setAttribute("data-selected", "true")
    store.updateState((state) => ({ ...state, selected: 0 }))
  }, [shown])
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={(next) => {
        setText(next)
        searchLater(next.trim())
      }}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      maxHeight={440}
      size={600}
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 1, color: "var(--veil)", blur: 0 }}
    >
      {/* Names the dialog. */}
      <Modal.Title className="sr-only">Search or jump to</Modal.Title>
      <Spotlight.Search
        placeholder="Client code, name, stock or screen"
        aria-label="Client code, name, stock or screen"
        maxLength={100}
      />
      <Spotlight.ActionsList>
        {groups.map((group) => (
          <Spotlight.ActionsGroup key={group.label} label={group.label}>
            {group.entries
              .toSorted((first, second) => rank(first) - rank(second))
              .map((entry) => (
                <PaletteEntry key={entry.key} entry={entry} />
              ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>Nothing found</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function PaletteEntry({ entry }: { entry: Entry }) {
  return (
    <Spotlight.Action
      className={styles.action}
      label={entry.label}
      description={entry.description}
      leftSection={entry.icon}
      rightSection={entry.keys && <kbd className={styles.kbd}>{entry.keys}</kbd>}
      onClick={() => {
        recent.unshift(entry.key)
        entry.act()
      }}
    />
  )
}

function useClientEntries({ words, longest, isAdvice, isHolders }: Asked): Entry[] {
  const navigate = useNavigate()
  const role = useRole()
  const { data } = useQuery({
    ...clientsLikeQuery(longest, FETCHED_CLIENTS),
    placeholderData: keepPreviousData,
  })
  if (longest === "" || isHolders) return []
  const matching = (data ?? []).filter(
    (client) =>
      words.length < 2 || hasWords(`${client.clientId} ${client.name}`.toLowerCase(), words),
  )
  return matching.slice(0, MAX_CLIENTS).flatMap((client, index) => {
    const open: Entry = {
      key: `client ${client._id}`,
      label: client.name,
      description: `${client.clientId} · ${shortRupees(client.totalPortfolio)}`,
      icon: <CircleUser size={16} aria-hidden="true" />,
      act: () => {
        chooseClient(client._id, client.clientId)
        void navigate({ to: "/home/client/profile" })
      },
    }
    const advise: Entry = {
      key: `advice ${client._id}`,
      label: `Send advice to ${client.clientId}`,
      icon: <Send size={16} aria-hidden="true" />,
      act: () => void navigate({ to: "/home/advice", state: { username: client.clientId } }),
    }
    if (role !== "ADMIN" || index >= WITH_ADVICE) return [open]
    return isAdvice ? [advise, open] : [open, advise]
  })
}

function useStockEntries({ words }: Asked): Entry[] {
  const query = words.join(" ")
  const { data } = useQuery({ ...stocksLikeQuery(query), placeholderData: keepPreviousData })
  const navigate = useNavigate()
  if (query.length < 2) return []
  return (data ?? []).slice(0, 5).map((stock) => {
    const last = lastPrice(stock.instrumentToken)
    return {
      key: `stock ${stock.exchange} ${stock.symbol}`,
      label: stock.symbol,
      description: [stock.exchange, stock.name, last === undefined ? null : price(last)]
        .filter(Boolean)
        .join(" · "),
      icon: <TrendingUp size={16} aria-hidden="true" />,
      act: () => void navigate({ to: "/home/dashboard", hash: "stock-distribution" }),
    }
  })
}

function useScreenEntries(): Entry[] {
  const navigate = useNavigate()
  return useScreens().map(({ label, icon, to, key }) => ({
    key: `screen ${label}`,
    label,
    icon,
    keys: `G ${key}`,
    act: () => void navigate({ to }),
  }))
}

function useActionEntries(): Entry[] {
  const { shown } = useAppearance()
  const logOut = useLogOut()
  const other = shown === "dark" ? "light" : "dark"
  return [
    {
      key: "hide",
      label: "Hide or show amounts",
      icon: <Eye size={16} aria-hidden="true" />,
      keys: "Shift H",
      act: () => amountsHidden.set(!amountsHidden.get()),
    },
    {
      key: "colours",
      label: `Use ${other} colours`,
      icon: <SunMoon size={16} aria-hidden="true" />,
      act: () => setAppearance({ scheme: other }),
    },
    {
      key: "logout",
      label: "Logout",
      icon: <LogOut size={16} aria-hidden="true" />,
      act: () => void logOut(),
    },
  ]
}
