import { expect, test, vi } from "vitest"
import { answer, answerWith, breakOff, hang, refuse } from "@/testing/server"
import { api, ApiError, dataOf, messageOf, networkMessage, newIdempotencyKey } from "./client"
import { chooseClient, endSession, onSessionEnd, session } from "./session"

const stats = () => dataOf(api.GET("/admin/dashboard/stats"))
const failure = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error("it did not fail")
    },
    (error: unknown) => error as ApiError,
  )

test("the token of the session goes with every call, and the envelope is taken off", async () => {
  const calls = answer("get", "/admin/dashboard/stats", { totalClients: 7 })
  session.start("secret-token", "ADMIN")

  expect(await stats()).toEqual({ totalClients: 7 })
  expect(calls[0]?.headers.get("Authorization")).toBe("Bearer secret-token")
})

test("a refusal carries status, sentence and fields", async () => {
  refuse("get", "/admin/dashboard/stats", 422, "Enter a valid email", [
    { field: "email", message: "Enter a valid email" },
  ])

  const error = await failure(stats())

  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 422, message: "Enter a valid email", code: "refused" })
  expect(error.errors).toEqual([{ field: "email", message: "Enter a valid email" }])
})

test("success false is a refusal, whatever its status", async () => {
  answerWith("get", "/admin/dashboard/stats", { success: false, message: "Not now", data: null })

  expect(await failure(stats())).toMatchObject({ status: 200, message: "Not now" })
})

test("a lost connection is marked as a network error", async () => {
  breakOff("get", "/admin/dashboard/stats")

  const error = await failure(stats())

  expect(error).toMatchObject({ status: 0, isNetwork: true, message: networkMessage })
})

test("a server that takes the call and never answers is given up after half a minute", async () => {
  hang("get", "/admin/dashboard/stats")
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  try {
    const call = failure(stats())
    await vi.advanceTimersByTimeAsync(29_000)
    const early = await Promise.race([call, Promise.resolve("waits")])
    await vi.advanceTimersByTimeAsync(1_000)

    expect(early).toBe("waits")
    expect(await call).toMatchObject({ status: 0, code: "unanswered", message: networkMessage })
  } finally {
    vi.useRealTimers()
  }
})

test("an answer that is no JSON still has a status", async () => {
  answerWith("get", "/admin/dashboard/stats", "<html>", 502)

  const error = await failure(stats())

  expect(error.status).toBe(502)
  expect(messageOf(error, "Failed to fetch data")).toBe("Failed to fetch data")
})

test("a dead token ends the session once", async () => {
  refuse("get", "/admin/dashboard/stats", 401, "Session expired. Please log in again.")
  session.start("dead-token", "ADMIN")
  const ended = vi.fn()
  const release = onSessionEnd(ended)

  await Promise.all([failure(stats()), failure(stats())])

  expect(ended).toHaveBeenCalledOnce()
  expect(session.get("token")).toBeNull()
  release()
})

test("after a session ran out, the next login finds the same client open; after a logout it does not", () => {
  session.start("old-token", "ADMIN")
  chooseClient("id-7", "C1007")
  endSession()
  expect(session.get("clientId")).toBeNull()

  session.start("new-token", "ADMIN")
  expect([session.get("clientId"), session.get("username")]).toEqual(["id-7", "C1007"])

  session.clear()
  session.start("next-token", "USER")
  expect(session.get("clientId")).toBeNull()
})

test("a wrong password ends nobody's session", async () => {
  refuse("post", "/auth/login", 401, "Invalid email or password")
  const ended = vi.fn()
  const release = onSessionEnd(ended)

  await failure(dataOf(api.POST("/auth/login", { body: { email: "a@b.in", password: "x" } })))

  expect(ended).not.toHaveBeenCalled()
  release()
})

test("keys of repeatable calls differ", () => {
  expect(new Set(Array.from({ length: 50 }, newIdempotencyKey)).size).toBe(50)
})
