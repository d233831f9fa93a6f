import { type BrowserContext, expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { errorsOf } from "./network"
import { keepBroker } from "./screens"
import { test } from "./test"

/**
 * Two members of staff edit one record: the second to save sees an error, and the first one's changes are kept.
 * Both open the record before either saves.
 */
test.describe.configure({ mode: "serial" })

const STALE = "This record was changed by someone else. Reload and try again."
const run = Date.now().toString(36)
const contexts: BrowserContext[] = []
let first: Page
let second: Page
let desk: Desk
let client: { id: string; code: string }
let pageErrors: string[][]

test.beforeAll(async ({ browser }) => {
  const open = async () => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: "reduce",
    })
    contexts.push(context)
    return context.newPage()
  }
  first = await open()
  second = await open()
  pageErrors = [errorsOf(first), errorsOf(second)]
  desk = await Desk.open(first)
  const [added] = await desk.addClients(`Shared ${run}`)
  if (!added) throw new Error("no client")
  client = added
  await keepBroker(desk)
  await desk.seat(first, client)
  await (await Desk.open(second)).seat(second, client)
})

test.afterAll(async () => {
  expect(pageErrors.flat()).toEqual([])
  await desk.removeClients(run)
  for (const context of contexts) await context.close()
})

/** Both look at the record, the one saves, then the other: told, and nothing of the first is overwritten. */
async function expectSecondIsTold(
  address: string,
  edit: (page: Page, who: "first" | "second") => Promise<void>,
  save: (page: Page) => Promise<void>,
) {
  for (const page of [first, second]) await page.goto(address)
  await edit(first, "first")
  await edit(second, "second")
  const done = first.waitForResponse((answer) => answer.request().method() !== "GET" && answer.ok())
  await save(first)
  await done
  await save(second)
  await expect(second.getByText(STALE)).toBeVisible()
}

const press = (name: string) => (page: Page) =>
  page.getByRole("button", { name, exact: true }).last().click()

/** The value that a fresh look at the server shows. */
const book = <Data>(path: string) =>
  desk.call<Data>("GET", `/admin/clients/client/${client.id}${path}`)

for (const kind of ["client", "user"] as const) {
  test(`a ${kind}`, { tag: "@long" }, async () => {
    const name = kind === "client" ? `Shared ${run}` : `Shared user ${run}`
    if (kind === "user") {
      const email = `shared.${run}@conflicts.example`
      const users = [{ name, email, role: "USER", countryCode: "+91", contactNumber: "" }]
      await desk.call("POST", "/users/add", { users })
    }
    await expectSecondIsTold(
      `/home/roles-permission?tab=${kind}s&query=${run}`,
      async (page, who) => {
        await page.getByRole("button", { name: `Actions for ${name}` }).click()
        await page.getByRole("menuitem", { name: "Edit" }).click()
        await page.getByLabel("Contact number").fill(who === "first" ? "9000000001" : "9000000002")
      },
      press("Submit"),
    )
    type Row = { _id: string; version: number; contactNumber: string }
    const [row] = await desk.call<Row[]>("GET", `/${kind}s?query=${run}`)
    expect(row?.contactNumber).toBe("9000000001")
    // What the second one typed is not lost; a reload shows what stands.
    await expect(second.getByLabel("Contact number")).toHaveValue("9000000002")
    await second.getByRole("button", { name: "Reload" }).click()
    await expect(second.getByLabel("Contact number")).toHaveValue("9000000001")
    if (kind === "user" && row)
      await desk.call("POST", "/users/delete", { userId: row._id, version: row.version })
  })
}

test("a remark", { tag: "@long" }, async () => {
  await desk.call("POST", "/admin/remarks", { user: client.id, remark: "As it was" })
  await expectSecondIsTold(
    "/home/client/profile",
    async (page, who) => {
      await page.getByRole("button", { name: /^Edit remark/ }).click()
      await page.getByRole("textbox", { name: "Edit remark" }).fill(`Of the ${who}`)
    },
    press("Save"),
  )
  const [remark] = await desk.call<{ remark: string }[]>(
    "GET",
    `/admin/remarks/client/${client.id}`,
  )
  expect(remark?.remark).toBe("Of the first")
  await expect(second.getByRole("textbox", { name: "Edit remark" })).toHaveValue("Of the second")
})

test("a transaction", { tag: "@long" }, async () => {
  await desk.call("POST", `/admin/clients/client/${client.id}/accounting/transaction`, {
    date: "2026-03-02",
    amount: 1000,
    type: "FUNDS_ADDED",
  })
  await expectSecondIsTold(
    "/home/client/portfolio",
    async (page, who) => {
      await page.getByRole("button", { name: "Edit transaction of 02/03/2026" }).click()
      await page
        .getByLabel("Amount of transaction of 02/03/2026")
        .fill(who === "first" ? "2000" : "3000")
    },
    press("Save"),
  )
  expect((await book<{ amount: number }[]>("/accounting"))[0]?.amount).toBe(2000)
})

test("the starting capital and the starting date", { tag: "@long" }, async () => {
  const edit = (card: string, button: RegExp, one: string, other: string) =>
    expectSecondIsTold(
      "/home/client/portfolio",
      async (page, who) => {
        const group = page.getByRole("group", { name: card, exact: true })
        await group.getByRole("button", { name: button }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByLabel(card).fill(who === "first" ? one : other)
      },
      (page) => page.getByRole("dialog").getByRole("button", { name: "Save" }).click(),
    )
  await edit("Starting Capital", /Edit/, "100000", "200000")
  await edit("Starting From", /Edit|Select|Change/, "2026-01-01", "2026-02-01")
  const kept = await book<{ startingCapital: number; startedFrom: string }>("/portfolio")
  expect(kept).toMatchObject({ startingCapital: 100_000, startedFrom: "2026-01-01" })
})

test("a fee", { tag: "@long" }, async () => {
  await desk.addFee(client.id, "2019-04")
  await expectSecondIsTold(
    "/home/client/fees",
    async (page, who) => {
      await page.getByRole("button", { name: "Edit fee of 01/04/2019" }).click()
      await page.getByLabel("Due Date").fill(who === "first" ? "2019-06-01" : "2019-07-01")
    },
    press("Save"),
  )
  expect((await book<{ dueDate: string }[]>("/fees"))[0]?.dueDate).toBe("2019-06-01")
  // The row of the second one shows what stands.
  await expect(second.getByRole("cell", { name: "01/06/2019" })).toBeVisible()
})

test("a record that the other one deleted meanwhile", { tag: "@long" }, async () => {
  await desk.addFee(client.id, "2018-04")
  for (const page of [first, second]) await page.goto("/home/client/fees")
  for (const page of [first, second])
    await page.getByRole("button", { name: "Delete fee of 01/04/2018" }).click()
  await press("OK")(first)
  await expect(first.getByText("Fee transaction deleted successfully")).toBeVisible()
  await press("OK")(second)
  await expect(second.getByText("Some error occurred while deleting")).toBeVisible()
  await expect(second.getByRole("row", { name: /01\/04\/2018/ })).toHaveCount(0)
})

test("a broker", { tag: "@long" }, async () => {
  const before = await brokerOf()
  for (const page of [first, second]) await page.goto("/home/broker-details")
  for (const page of [first, second])
    await page
      .getByRole("region", { name: "Angel One" })
      .getByRole("button", { name: "View" })
      .click()
  await first.getByLabel("Description").fill(`First ${run}`)
  await second.getByLabel("Description").fill(`Second ${run}`)
  await press("Save")(first)
  await expect(first.getByText("Broker updated successfully")).toBeVisible()
  await press("Save")(second)
  await expect(second.getByText(STALE)).toBeVisible()
  const after = await brokerOf()
  expect(after.description).toBe(`First ${run}`)
  expect(after.version).toBe(before.version + 1)
})

async function brokerOf() {
  type Broker = { _id: string; name: string; version: number; description: string }
  const found = await desk.call<Broker[]>("GET", "/brokers")
  const listed = found.find(({ name }) => name === "ANGEL_ONE")
  return desk.call<Broker>("GET", `/brokers/${listed?._id ?? ""}`)
}

test("the firm's settings", { tag: "@long" }, async () => {
  type Firm = { contact: string; version: number }
  const before = await desk.call<Firm>("GET", "/settings/firm")
  await expectSecondIsTold(
    "/home/settings?section=firm",
    (page, who) => page.getByLabel("Contact").fill(`${who} desk ${run}`),
    press("Save"),
  )
  const after = await desk.call<Firm>("GET", "/settings/firm")
  expect(after.contact).toBe(`first desk ${run}`)
  await expect(second.getByLabel("Contact")).toHaveValue(`second desk ${run}`)
  await second.reload()
  await expect(second.getByLabel("Contact")).toHaveValue(`first desk ${run}`)
  await desk.call("PUT", "/settings/firm", { ...after, contact: before.contact })
})

test("the fee schedule", { tag: "@long" }, async () => {
  // A day of its own for each run, far from any period.
  const days = Math.floor(Date.now() / 1000) % 30_000
  const day = new Date(Date.UTC(2100, 0, 1 + days)).toISOString().slice(0, 10)
  await expectSecondIsTold(
    "/home/settings?section=fees",
    async (page, who) => {
      await page.getByRole("button", { name: "Add version" }).click()
      const dialog = page.getByRole("dialog", { name: "Add version" })
      await dialog.getByLabel("Effective from").fill(day)
      await dialog.getByLabel("Source").fill(`${who} ${run}`)
    },
    (page) => page.getByRole("dialog").getByRole("button", { name: "Save" }).click(),
  )
  const kept = await desk.call<{ versions: { effectiveOn: string; source: string }[] }>(
    "GET",
    "/settings/fee-schedule",
  )
  const version = kept.versions.find(({ effectiveOn }) => effectiveOn === day)
  expect(version?.source).toBe(`first ${run}`)
})
