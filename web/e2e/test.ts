import { expect, type Page, test as base } from "@playwright/test"
import { errorsOf } from "./network"
import { address, type Installation, serve } from "./servers"

export interface Served {
  /** The data that the servers start with. */
  installation: Installation
  served: string
}

interface Pages {
  /** `page`; the test fails at its end when the page logged an error. */
  cleanPage: Page
}

/** A test whose worker has its own servers. */
export const test = base.extend<Pages, Served>({
  installation: ["demo", { option: true, scope: "worker" }],
  served: [
    async ({ installation }, give) => {
      const stop = await serve(installation)
      await give(address)
      stop()
    },
    { scope: "worker", auto: true, timeout: 120_000 },
  ],
  baseURL: ({ served }, give) => give(served),
  cleanPage: async ({ page }, give) => {
    const errors = errorsOf(page)
    await give(page)
    expect(errors).toEqual([])
  },
})
