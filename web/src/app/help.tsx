import { Drawer } from "@mantine/core"
import { useLocation } from "@tanstack/react-router"
import { ExternalLink } from "lucide-react"
import { Fragment, type ReactNode, useState } from "react"
import { terms } from "@/lib/terms"
import { Field } from "@/ui/form/fields"
import { useFocusReturn } from "@/ui/overlay/use-focus-return"
import operations from "@docs/operations.md?url"
import styles from "./help.module.css"
import { type Key, type Topic, topicAt, topics } from "./help-topics"
import { useRole } from "./use-role"
import { useScreens } from "./use-screens"

const everywhere: Key[] = [
  ["Ctrl K", "Search or jump to"],
  ["/", "Search on this screen"],
  ["N", "Add"],
  ["Shift H", "Hide or show amounts"],
  ["?", "This help"],
  ["Esc", "Close, or undo an edit"],
]

/** What the `?` of the header and the key open: help for this screen, the keys, the terms. */
export default function Help({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState("")
  const { pathname } = useLocation()
  const isAdmin = useRole() === "ADMIN"
  const screens = useScreens()
  useFocusReturn()
  const words = query.trim().toLowerCase().split(/\s+/)
  const fits = (...texts: string[]) => {
    const text = texts.join(" ").toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const isSearch = query.trim() !== ""
  const here = topicAt(pathname)
  const shown = isSearch
    ? topics
        .filter((topic) => isAdmin || !topic.adminOnly)
        .filter(({ title, text, keys = [], guide = [] }) =>
          fits(title, text, ...keys.flat(), ...guide),
        )
    : here
      ? [here]
      : []
  const own = new Set(shown.flatMap((topic) => topic.keys ?? []).map(([key]) => key))
  const keys = [
    ...everywhere.filter(([key]) => isSearch || !own.has(key)),
    ...screens.map(({ key, label }): Key => [`G ${key}`, `Go to ${label}`]),
  ].filter((entry) => fits(...entry))
  const meanings = Object.entries(terms).filter(([name, { labels, meaning }]) =>
    fits(name, meaning, ...labels),
  )
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={400}
      transitionProps={{ duration: 0 }}
    >
      <Drawer.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Drawer.Content>
        <Drawer.Header role="none">
          <Drawer.Title className={styles.title}>Help</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        <Drawer.Body className={styles.body}>
          <Field
            type="search"
            aria-label="Search help"
            placeholder="Search help, keys and terms"
            maxLength={100}
            autoComplete="off"
            data-autofocus
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          {shown.map((topic) => (
            <TopicSection key={topic.at} topic={topic} />
          ))}
          {keys.length > 0 && (
            <Section title="Keys on every screen">
              <KeyList keys={keys} />
            </Section>
          )}
          {meanings.length > 0 && (
            <Section title="Terms">
              <dl className={styles.terms}>
                {meanings.map(([name, { meaning }]) => (
                  <Fragment key={name}>
                    <dt>{name}</dt>
                    <dd>{meaning}</dd>
                  </Fragment>
                ))}
              </dl>
            </Section>
          )}
          {shown.length + keys.length + meanings.length === 0 && (
            <p className={styles.nothing} role="status">
              Nothing found for “{query.trim()}”.
            </p>
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function TopicSection({ topic: { title, text, keys = [], guide = [] } }: { topic: Topic }) {
  return (
    <Section title={title}>
      <p>{text}</p>
      {keys.length > 0 && <KeyList keys={keys} />}
      {guide.length > 0 && (
        <p className={styles.guide}>
          <a href={operations} target="_blank" rel="noreferrer">
            Operations guide <ExternalLink size={13} aria-hidden="true" />
          </a>
          , {guide.length === 1 ? "section" : "sections"}{" "}
          {guide.map((section) => `“${section}”`).join(", ")}
        </p>
      )}
    </Section>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

const KeyList = ({ keys }: { keys: Key[] }) => (
  <dl className={styles.keys}>
    {keys.map(([key, meaning]) => (
      <Fragment key={key}>
        <dt>
          <kbd>{key}</kbd>
        </dt>
        <dd>{meaning}</dd>
      </Fragment>
    ))}
  </dl>
)
