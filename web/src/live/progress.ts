import { useSyncExternalStore } from "react"
import { createStore } from "@/lib/store"

/** Long work on the server, as it reports it: `12 of 40`. */
export interface Progress {
  id: string
  step: string
  done: number
  total: number
  state: string
}

/** What was reported last, by the id of the work. */
export const works = createStore<ReadonlyMap<string, Progress>>(new Map())

export const report = (progress: Progress) =>
  works.set(new Map(works.get()).set(progress.id, progress))

/** The last report of one piece of work; undefined before the first. */
export const useProgress = (id: string | null) =>
  useSyncExternalStore(works.subscribe, () => (id === null ? undefined : works.get().get(id)))
