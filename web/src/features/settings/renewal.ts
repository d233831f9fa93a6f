import { type Day, daysBetween } from "@/lib/dates"
import { count } from "@/lib/format"

/** The renewal of the registration is highlighted from this many days before. */
const SOON = 180

/** The time until or since a renewal: `in 815 days`, `today`, `3 days ago`. */
export function renewalWords(renewal: Day, today: Day): string {
  const left = daysBetween(today, renewal)
  if (left === 0) return "today"
  const days = `${count(Math.abs(left))} ${Math.abs(left) === 1 ? "day" : "days"}`
  return left > 0 ? `in ${days}` : `${days} ago`
}

export function renewalTone(renewal: Day, today: Day): "loss" | "warn" | undefined {
  const left = daysBetween(today, renewal)
  if (left < 0) return "loss"
  return left <= SOON ? "warn" : undefined
}
