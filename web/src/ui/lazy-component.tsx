import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react"

const loads: (() => Promise<unknown>)[] = []

/** Loads the code of every lazy component, so that each opens at once. */
export const loadLazyComponents = () => Promise.all(loads.map((load) => load()))

/**
 * A component that the first paint does not need: its code is loaded after that, at the latest when it is shown.
 * What `fallback` returns is shown until then.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: (props: Props) => ReactNode = () => null,
) {
  let Loaded: ComponentType<Props> | undefined
  const loadOnce = async () => {
    const loading = await load()
    Loaded = loading.default
    return loading
  }
  const Loading = lazy(loadOnce)
  loads.push(loadOnce)
  return function LazyComponent(props: Props) {
    // Once chosen it stays: another component would lose what was typed into the first.
    const [Shown] = useState<ComponentType<Props>>(() => Loaded ?? Loading)
    return (
      <Suspense fallback={fallback(props)}>
        <Shown {...props} />
      </Suspense>
    )
  }
}
