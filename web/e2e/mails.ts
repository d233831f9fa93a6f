import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { expect } from "@playwright/test"
import { inbox, outbox } from "./servers"

/**
 * The mails that the server wrote to somebody, or that a mail server took, decoded, the newest last. The first mail of all makes
 * the outbox.
 */
export function mailsTo(recipient: string): string[] {
  return [outbox, inbox]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
    .filter((name) => name.endsWith(".eml"))
    .toSorted((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
    .map((path) =>
      readFileSync(path, "utf8")
        .replace(/=\r?\n/g, "")
        .replaceAll("=3D", "="),
    )
    .filter((text) => text.includes(`To: ${recipient}`))
}

/** A letter is set in a process of its own, which a busy machine starts late. */
export const LETTER = { timeout: 100_000 }

/** What `pattern` finds in the mails to somebody, the newest last, once there are `count` of them. */
export async function mailed(recipient: string, pattern: RegExp, count = 1): Promise<string[]> {
  const find = () =>
    mailsTo(recipient).flatMap((text) => {
      const match = pattern.exec(text)
      return match ? [match[1] ?? match[0]] : []
    })
  await expect.poll(() => find().length, LETTER).toBeGreaterThanOrEqual(count)
  return find()
}
