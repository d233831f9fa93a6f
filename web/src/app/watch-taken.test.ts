import { expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { noteTaken } from "@/lib/taken"
import { answer } from "@/testing/server"
import { watchTaken } from "./watch-taken"

test("what is copied or printed is reported to the server, for the audit trail", async () => {
  session.start("a-token", "ADMIN")
  const calls = answer("post", "/admin/taken-away", null)
  const stop = watchTaken()

  noteTaken({ what: "Trade list", way: "printed", rows: 3, clientId: "1" })

  await vi.waitFor(() =>
    expect(calls.map((call) => call.body)).toEqual([
      { what: "Trade list", way: "printed", rows: 3, clientId: "1" },
    ]),
  )
  stop()
})
