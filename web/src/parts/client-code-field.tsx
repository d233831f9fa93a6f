import { useCallback, useRef, useState } from "react"
import { lazyComponent } from "@/ui/lazy-component"
import { type ClientCodeProps, CodeInput, type CodeSearchProps } from "./client-code-input"

/** Until the search is there, only a code can be entered; a name that is typed meanwhile is searched then. */
const ClientCodeSearch = lazyComponent<CodeSearchProps>(
  () => import("./client-code-search"),
  ({ fieldBefore: _, onName, ...props }) => (
    <CodeInput {...props} onName={onName} onLeave={() => onName(null)} />
  ),
)

/** A client's code: typed, or filled in by choosing a client whose name was typed. */
export function ClientCodeField(props: ClientCodeProps) {
  const [name, setName] = useState<string | null>(null)
  const focused = useRef<HTMLInputElement>(null)
  const fieldBefore = useCallback(() => focused.current, [])
  return (
    <div
      onFocus={({ target }) => {
        focused.current = target instanceof HTMLInputElement ? target : null
      }}
      onBlur={() => {
        focused.current = null
      }}
    >
      <ClientCodeSearch {...props} name={name} onName={setName} fieldBefore={fieldBefore} />
    </div>
  )
}
