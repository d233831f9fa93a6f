import { http, HttpResponse } from "msw"
import { expect, test } from "vitest"
import { server } from "@/testing/server"
import { api, dataOf } from "./client"
import { session } from "./session"

const PATH = "*/api/v1/admin/dashboard/stats"
const long = (words: string) => words.padEnd(2_000, ".")
const stats = () => dataOf(api.GET("/admin/dashboard/stats")) as unknown as Promise<string>

/** A server that tags its answer; the tags that it was asked with, in order. */
function tagged(says: () => string, size: (words: string) => string = long) {
  const tags: (string | null)[] = []
  server.use(
    http.get(PATH, ({ request }) => {
      const tag = `"${says()}"`
      const known = request.headers.get("If-None-Match")
      tags.push(known)
      if (known === tag) return new HttpResponse(null, { status: 304, headers: { ETag: tag } })
      const body = { success: true, message: null, data: size(says()) }
      return HttpResponse.json(body, { headers: { ETag: tag } })
    }),
  )
  return tags
}

test("what did not change is shown again without being sent", async () => {
  session.start("first", "ADMIN")
  const tags = tagged(() => "one")

  expect(await stats()).toBe(long("one"))
  expect(await stats()).toBe(long("one"))
  expect(tags).toEqual([null, '"one"'])
})

test("a changed answer replaces the cached one", async () => {
  session.start("second", "ADMIN")
  let words = "one"
  const tags = tagged(() => words)

  await stats()
  words = "two"
  expect(await stats()).toBe(long("two"))
  expect(await stats()).toBe(long("two"))
  expect(tags).toEqual([null, '"one"', '"two"'])
})

test("nothing is kept from one session to the next", async () => {
  session.start("third", "ADMIN")
  const tags = tagged(() => "one")
  await stats()
  session.start("fourth", "USER")

  expect(await stats()).toBe(long("one"))
  expect(tags).toEqual([null, null])
})

test("an answer that comes after its session ended is not kept for the next", async () => {
  session.start("fifth", "ADMIN")
  const tags = tagged(() => "one")
  const late = stats()
  session.start("sixth", "ADMIN")
  await late

  await stats()
  expect(tags).toEqual([null, null])
})

test("short answers are not worth the question", async () => {
  session.start("seventh", "ADMIN")
  const tags = tagged(
    () => "one",
    (words) => words,
  )

  await stats()
  await stats()
  expect(tags).toEqual([null, null])
})
