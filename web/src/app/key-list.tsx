import { Fragment } from "react"
import { Modal } from "@/ui/overlay/modal"
import styles from "./key-list.module.css"
import { screens } from "./screens"
import { useRole } from "./use-role"

const general = [
  ["Ctrl K", "Search or jump to"],
  ["/", "Search on this screen"],
  ["[ ]", "Previous or next client"],
  ["N", "Add"],
  ["Shift H", "Hide or show amounts"],
  ["?", "This list"],
  ["Esc", "Close, or undo an edit"],
] as const

const forms = [
  ["Ctrl Z", "Undo in the advice form"],
  ["Ctrl Shift Z", "Redo in the advice form"],
] as const

/** What `?` opens. */
export default function KeyList({ onClose }: { onClose: () => void }) {
  const role = useRole()
  const keys = [
    ...general,
    ...(role === "ADMIN" ? forms : []),
    ...screens
      .filter((screen) => !screen.adminOnly || role === "ADMIN")
      .map(({ key, label }) => [`G ${key}`, `Go to ${label}`] as const),
  ]
  return (
    <Modal title="Keys" isOpen onClose={onClose} width={360}>
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
    </Modal>
  )
}
