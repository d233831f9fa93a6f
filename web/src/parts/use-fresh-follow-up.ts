import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { works } from "@/live/progress"

/** The id under which the server reports that what became of some advice has changed. */
const FOLLOW_UP = "follow-up"
/** Milliseconds in which reports are gathered: the advice of many clients is matched in parts. */
const GATHER = 1_000

/** Fetches what is shown of the follow-up again when the server says that it has changed. */
export function useFreshFollowUp() {
  const cache = useQueryClient()
  useEffect(() => {
    let seen = works.get().get(FOLLOW_UP)
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = works.subscribe(() => {
      const report = works.get().get(FOLLOW_UP)
      if (report === seen) return
      seen = report
      timer ??= setTimeout(() => {
        timer = undefined
        void cache.invalidateQueries({ queryKey: ["follow-up"] })
      }, GATHER)
    })
    return () => {
      leave()
      clearTimeout(timer)
    }
  }, [cache])
}
