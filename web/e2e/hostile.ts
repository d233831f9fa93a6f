import type { Page } from "@playwright/test"

/** Texts that run `canary` where a page takes a text for markup, for a script or for an address. */
export const payloads = [
  "<script>canary(1)</script>",
  "<img src=x onerror=canary(2)>",
  "<svg onload=canary(3)>",
  '"><svg/onload=canary(4)>',
  "'><img src=x onerror=canary(5)>",
  ["javascript", "canary(6)"].join(":"),
  "<iframe srcdoc='<script>parent.canary(7)</script>'></iframe>",
  "<details open ontoggle=canary(8)>x</details>",
  "<input autofocus onfocus=canary(9)>",
  "</title><script>canary(10)</script>",
  "</script><script>canary(11)</script>",
  "{{constructor.constructor('canary(12)')()}}",
  "${canary(13)}",
  "<a href='javascript:canary(14)'>Open</a>",
  "<style>@import 'javascript:canary(15)'</style>",
  "<math><mtext><img src=x onerror=canary(16)></math>",
  "<body onpageshow=canary(17)>",
  "<object data='data:text/html,<script>canary(18)</script>'></object>",
  "&lt;img src=x onerror=canary(19)&gt;",
  "'-canary(20)-'",
]

/** All of them in one text, for a field that there is only one of. */
export const allInOne = payloads.join(" ")

/** What a hostile text did on a page: code that ran, and what the content security policy refused. */
export interface Harm {
  ran: string[]
  refused: string[]
}

/** Watches a page for both, from its first script on, through every address it goes to. */
export async function watchForHarm(page: Page): Promise<Harm> {
  const harm: Harm = { ran: [], refused: [] }
  await page.exposeFunction("canary", (number: number) => harm.ran.push(`canary ${number}`))
  await page.exposeFunction("tellRefused", (what: string) => harm.refused.push(what))
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const told = `${event.violatedDirective} ${event.blockedURI} ${event.sample} ${location.href}`
      ;(window as unknown as { tellRefused: (what: string) => void }).tellRefused(told)
    })
  })
  page.on("dialog", (dialog) => {
    harm.ran.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  return harm
}
