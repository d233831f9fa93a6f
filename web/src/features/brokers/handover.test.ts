import { afterEach, describe, expect, test } from "vitest"
import {
  appAddress,
  handover,
  isClientLogin,
  isMobile,
  isRefused,
  takeHandover,
  tokenOf,
} from "./handover"

const arrive = (address: string) => {
  window.history.replaceState(null, "", address)
  takeHandover()
}
afterEach(() => arrive("/redirect"))

describe("what a broker hands over", () => {
  test("is taken out of the address at once", () => {
    arrive("/redirect?status=success&request_token=0123&action=login&state=s1")

    expect(window.location.href).toMatch(/\/redirect$/)
    expect(handover()).toEqual({
      status: "success",
      requestToken: "0123",
      authToken: "",
      refreshToken: "",
      feedToken: "",
      state: "s1",
    })
    expect(tokenOf(handover())).toBe("0123")
  })

  test("is Angel One's three tokens too", () => {
    arrive("/redirect?auth_token=a.b.c&feed_token=f&refresh_token=r&state=s2")

    expect(tokenOf(handover())).toBe("a.b.c")
    expect(handover()).toMatchObject({ refreshToken: "r", feedToken: "f", state: "s2" })
    expect(isRefused(handover())).toBe(false)
  })

  test("on another page is not touched", () => {
    arrive("/home/advice?request_token=x")

    expect(window.location.search).toBe("?request_token=x")
    expect(tokenOf(handover())).toBe("")
  })

  test.each(["/redirect", "/redirect?status=success", "/redirect?status=error&request_token=x"])(
    "at %s is a refusal",
    (address) => {
      arrive(address)

      expect(isRefused(handover())).toBe(true)
    },
  )
})

test.each([
  ["tarazu://broker", "?request_token=a%20b&state=s", "?status=success&request_token=a+b"],
  [
    "https://app.example.in/in?x=1",
    "?auth_token=A&refresh_token=R&feed_token=F",
    "&status=success&auth_token=A&refresh_token=R",
  ],
  // A log-in that the app began gets its mark and the feed token back too.
  [
    "tarazu://broker",
    "?auth_token=A&refresh_token=R&feed_token=F&state=app.s",
    "?status=success&auth_token=A&refresh_token=R&feed_token=F&state=app.s",
  ],
])("the app %s gets the tokens of %s", (app, search, added) => {
  arrive(`/redirect${search}`)

  expect(appAddress(app, handover())).toBe(app + added)
})

test.each([
  ["client.s", true],
  ["s", false],
])("the state %s is of a client's log-in by a link: %s", (state, expected) => {
  arrive(`/redirect?request_token=x&state=${state}`)

  expect(isClientLogin(handover())).toBe(expected)
})

test.each([
  ["Mozilla/5.0 (Linux; Android 15; Pixel 9)", 5, true],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)", 5, true],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 5, true],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 0, false],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64)", 10, false],
  ["Mozilla/5.0 (X11; Linux x86_64)", 0, false],
])("%s with %i touch points", (userAgent, maxTouchPoints, expected) => {
  expect(isMobile({ userAgent, maxTouchPoints } as Navigator)).toBe(expected)
})
