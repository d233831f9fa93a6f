import type { FocusEvent } from "react"

/**
 * Selects what a field holds as soon as it has the focus. Mantine's `selectAllOnFocus` does so after a timeout, and a
 * digit typed before it would then be replaced by the next one.
 */
export const selectAll = (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select()
