import { act, screen, waitFor, within } from "@testing-library/react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { chooseClient } from "@/api/session"
import { clientProfile } from "@/testing/clients"
import { connection } from "@/testing/connections"
import { answer, answerLater, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { ClientProfile } from "./client-profile"
import { LastSynced } from "./last-synced"
import { remarksQuery } from "./queries"
import { remindersQuery } from "./reminders-card"

afterEach(() => vi.useRealTimers())

beforeEach(() => {
  signedIn()
  answer("get", "/admin/remarks/client/id-1", [])
})

const card = (name: string) => screen.getByRole("group", { name })

test("the profile shows all fields and figures", async () => {
  chooseClient("id-1", "C0001")
  answer("get", "/admin/clients/client/id-1/profile", clientProfile())

  await show(<ClientProfile />)

  expect(await screen.findByText("72 Model Town, Delhi 110009")).toBeVisible()
  const record = screen.getByRole("region", { name: "Profile" })
  for (const field of ["Asha Rao", "C0001", "asha@rao.in", "+91 9012708438"]) {
    expect(within(record).getByText(field)).toBeVisible()
  }
  expect(card("Current Portfolio Value")).toHaveTextContent("₹56,95,524.30+14.25% on investment")
  expect(card("Total Investment")).toHaveTextContent("₹49,85,000.00")
  expect(card("Cash Available")).toHaveTextContent("₹1,45,478.10")
  expect(card("DOB")).toHaveTextContent("09/02/1975")
  expect(card("Contact Info")).toHaveTextContent("+91 9012708438")
  expect(card("Broker ID")).toHaveTextContent("BN6885Zerodha")
})

test.each([
  [{ isSincePurchase: true, totalInvestment: null, netPnLPercentage: 8 }, "+8.00% since purchase"],
  [
    { totalPortfolio: null, netPnL: null, netPnLPercentage: null, totalCash: null },
    "Current Portfolio Value-No holdings or funds yet",
  ],
])(
  "a gain without a basis says since purchase, and none is made up: %o",
  async (figures, shown) => {
    chooseClient("id-1", "C0001")
    answer("get", "/admin/clients/client/id-1/profile", clientProfile(figures))

    await show(<ClientProfile />)

    await screen.findByText("72 Model Town, Delhi 110009")
    expect(card("Current Portfolio Value")).toHaveTextContent(shown)
  },
)

test("what is not known is a dash", async () => {
  chooseClient("id-1", "C0001")
  const bare = { dob: null, contactNumber: "", address: "", userBrokerId: "", lastSync: null }
  answer(
    "get",
    "/admin/clients/client/id-1/profile",
    clientProfile({ ...bare, broker: { name: "", logo: "" } }),
  )

  await show(<ClientProfile />)

  await screen.findByText("No broker yet")
  expect(card("DOB")).toHaveTextContent("DOB-")
  expect(card("Contact Info")).toHaveTextContent("Contact Info-")
  expect(card("Broker ID")).toHaveTextContent("Broker ID-")
  expect(card("Last Synced")).toHaveTextContent("Last Synced-Never synced")
})

test.each(["profile", "connection"])(
  "what can be pressed below waits for the %s, so that it does not move away",
  async (late) => {
    chooseClient("id-1", "C0001")
    const root = "/admin/clients/client/id-1"
    answer("get", `${root}/profile`, clientProfile())
    const held = late === "profile" ? clientProfile() : connection()
    const { answerNow } = answerLater("get", `${root}/${late}`, held)

    const { queryClient } = await show(<ClientProfile />)
    if (late === "connection") await screen.findByText("72 Model Town, Delhi 110009")
    await waitFor(() => expect(queryClient.getQueryData(remarksQuery("id-1").queryKey)).toEqual([]))

    expect(screen.queryByRole("button", { name: "Add remark" })).toBeNull()
    expect(screen.queryByRole("switch")).toBeNull()
    answerNow()
    expect(await screen.findByRole("button", { name: "Add remark" })).toBeVisible()
    expect(await screen.findByRole("switch")).toBeVisible()
  },
)

test("what failed while the profile loaded is not asked for once more when it is shown", async () => {
  chooseClient("id-1", "C0001")
  const root = "/admin/clients/client/id-1"
  const remarks = refuse("get", "/admin/remarks/client/id-1", 500, "Something went wrong")
  const reminders = refuse("get", `${root}/reminders`, 500, "Something went wrong")
  const { answerNow } = answerLater("get", `${root}/profile`, clientProfile())

  const { user, queryClient } = await show(<ClientProfile />)
  for (const { queryKey } of [remarksQuery("id-1"), remindersQuery("id-1")]) {
    await waitFor(() => expect(queryClient.getQueryState(queryKey)?.status).toBe("error"))
  }
  answerNow()

  await screen.findByText("Something went wrong")
  expect([remarks.length, reminders.length]).toEqual([1, 1])
  answer("get", "/admin/remarks/client/id-1", [])
  await user.click(
    within(screen.getByRole("region", { name: "Remarks" })).getByRole("button", { name: "Retry" }),
  )
  expect(await screen.findByText("Notes about this client appear here.")).toBeVisible()
  expect(screen.queryByText("Something went wrong")).toBeNull()
})

test("a live broker session is green", async () => {
  await show(<LastSynced at="live" isLoading={false} />)

  expect(screen.getByText("Live")).toHaveClass("gain")
})

test("an older sync is red, in Indian time, and its age ticks", async () => {
  vi.useFakeTimers({ now: new Date("2026-11-20T10:00:58Z"), shouldAdvanceTime: true })

  await show(<LastSynced at="2026-11-20T10:00:00Z" isLoading={false} />)

  expect(screen.getByText(/^5\d seconds ago$/)).toHaveClass("loss")
  expect(card("Last Synced")).toHaveTextContent("20/11/2026 15:30 IST")
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(screen.getByText("1 minute ago")).toBeVisible()
})
