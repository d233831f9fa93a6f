import { test as base } from "@playwright/test"
import { address, type Installation, serve } from "./servers"

export interface Served {
  /** What the tests of a project or of a file meet. */
  installation: Installation
  served: string
}

/** A test whose worker has servers of its own. */
export const test = base.extend<object, Served>({
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
})
