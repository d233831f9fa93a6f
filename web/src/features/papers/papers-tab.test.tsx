import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { chooseClient } from "@/api/session"
import { answerFile, watchDownloads } from "@/testing/downloads"
import { consentRow, consentsTo, kycOf } from "@/testing/papers"
import { sentField } from "@/testing/imports"
import { answer, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { cellsOf } from "@/testing/tables"
import { PapersTab } from "./papers-tab"
import type { ConsentsToText, Kyc } from "./queries"

const client = "/admin/clients/client/id-1"
const holdings = consentsTo({ kind: "HOLDINGS", isWithdrawable: true })
const missing = consentsTo({ kind: "MITC", state: "NOT_GIVEN", given: [] })
const withoutText = consentsTo({
  kind: "AI",
  state: "NO_TEXT",
  inForce: null,
  versions: [],
  given: [],
})

beforeEach(() => {
  chooseClient("id-1", "C0001")
})

async function open(consents: ConsentsToText[] = [consentsTo()], kyc: Kyc = kycOf()) {
  answer("get", `${client}/kyc`, kyc)
  answer("get", `${client}/consents`, consents as never)
  return show(<PapersTab />)
}

const table = async (name: string) => within(await screen.findByRole("region", { name }))
const rowOf = async (name: RegExp, label = "Consents") =>
  (await table(label)).findByRole("row", { name })

test("KYC is shown with the kind of client and the family", async () => {
  await open()

  const kyc = within(await screen.findByRole("region", { name: "KYC" }))
  for (const text of ["ABCPK1234F", "Validated by the KRA", "02/04/2026", "Menon"])
    expect(await kyc.findByText(text)).toBeVisible()
  expect(kyc.getByText("Hindu undivided family (HUF)")).toBeVisible()
})

test("KYC is changed, and what the server refuses is said at the field", async () => {
  const { user } = await open([], kycOf({ pan: "", status: "NOT_DONE", statusOn: null }))
  const sentence = "C0002 has this PAN."
  const refused = refuse("put", `${client}/kyc`, 422, sentence, [
    { field: "pan", message: sentence },
  ])
  await user.click(await screen.findByRole("button", { name: "Edit KYC" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Edit KYC" }))
  expect(dialog.queryByLabelText("Since")).toBeNull()
  await user.fill(dialog.getByLabelText("PAN"), " ABCPK1234F")
  await user.selectOptions(dialog.getByLabelText("KRA status"), "Registered with a KRA")
  await user.fill(dialog.getByLabelText("Since"), "02-04-2026")
  await user.click(dialog.getByRole("button", { name: "Save" }))

  expect(await dialog.findByText(sentence)).toBeVisible()
  expect(refused[0]!.body).toEqual({
    pan: "ABCPK1234F",
    status: "REGISTERED",
    statusOn: "2026-04-02",
    note: "",
    version: 3,
  })

  answer("put", `${client}/kyc`, kycOf({ status: "REGISTERED" }))
  await user.click(dialog.getByRole("button", { name: "Save" }))
  expect(await screen.findByText("KYC saved")).toBeVisible()
  expect(screen.getByText("Registered with a KRA")).toBeVisible()
})

test("each consent has its status, version, day and way", async () => {
  const paper = { method: "PAPER", recordedBy: "Farhan Ali" } as const
  await open([
    consentsTo({
      state: "ASKED_AGAIN",
      inForce: { number: 2, effectiveOn: "2026-11-01" },
    }),
    missing,
    consentsTo({ kind: "DATA", given: [consentRow(paper)] }),
    withoutText,
    consentsTo({ ...holdings, state: "WITHDRAWN", isWithdrawable: false }),
  ])

  expect(cellsOf(await rowOf(/Terms of service/))).toBe(
    "Terms of service | Asked again | 1 (now 2) | 02/04/2026 | Client's page, English | ",
  )
  expect(cellsOf(await rowOf(/MITC/))).toMatch(/\| Not given \| - \(now 1\) \| - \| - \|/)
  expect(cellsOf(await rowOf(/Personal data/))).toMatch(/\| On paper, recorded by Farhan Ali \|/)
  expect(cellsOf(await rowOf(/Use of AI tools/))).toMatch(/\| No text \| - \| - \|/)
  expect(cellsOf(await rowOf(/Reading holdings/))).toMatch(/\| Withdrawn \| 1 \|/)
})

test("a consent on paper needs its day and file, and goes as one form", async () => {
  const { user } = await open([consentsTo(), missing])
  const sent = answer("post", `${client}/consents`, [consentsTo()] as never)
  await user.click(await screen.findByRole("button", { name: "Record consent" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Record consent" }))
  // The first consent that is missing is the one that is recorded.
  expect(dialog.getByLabelText("Consent")).toHaveValue("MITC")
  await user.click(dialog.getByRole("button", { name: "Record consent" }))
  expect(dialog.getByText("Choose the signed file.")).toBeVisible()
  expect(dialog.getByText("Enter the day on which it was signed.")).toBeVisible()

  await user.fill(dialog.getByLabelText("Signed on"), "02-04-2026")
  const file = new File(["%PDF-1.7"], "signed.pdf", { type: "application/pdf" })
  await user.upload(dialog.getByLabelText("Choose the signed file"), file)
  expect(sent).toHaveLength(0)
  await user.click(dialog.getByRole("button", { name: "Record consent" }))

  expect(await screen.findByText("Consent recorded")).toBeVisible()
  const { body } = sent[0]!
  expect(["kind", "number", "language", "givenOn"].map((name) => sentField(body, name))).toEqual([
    "MITC",
    "1",
    "EN",
    "2026-04-02",
  ])
  expect(body).toContain('name="file"')
})

test("a file that is too large is refused before it is sent", async () => {
  const { user } = await open([missing])
  await user.click(await screen.findByRole("button", { name: "Record consent" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Record consent" }))

  const file = new File([new Uint8Array(2 * 2 ** 20 + 1)], "signed.pdf")
  await user.upload(dialog.getByLabelText("Choose the signed file"), file)

  expect(
    await dialog.findByText("The file is larger than 2 MB. Choose a smaller one."),
  ).toBeVisible()
})

test("without a text there is nothing to record", async () => {
  await open([withoutText])

  await rowOf(/Use of AI tools/)
  expect(screen.getByRole("button", { name: "Record consent" })).toBeDisabled()
  expect(screen.queryByRole("region", { name: "History of consents" })).toBeNull()
})

test("a consent is withdrawn after a question", async () => {
  const { user } = await open([holdings])
  const sent = answer("post", `${client}/consents/consent-1/withdraw`, [
    consentsTo({ ...holdings, state: "WITHDRAWN", isWithdrawable: false }),
  ] as never)
  const row = within(await rowOf(/Reading holdings/))
  await user.click(row.getByRole("button"))
  await user.click(await screen.findByRole("menuitem", { name: "Withdraw" }))
  expect(sent).toHaveLength(0)
  const question = await screen.findByRole("dialog", { name: /withdrew: Reading holdings/ })
  await user.click(within(question).getByRole("button", { name: "Withdraw" }))

  expect(await screen.findByText("Withdrawal recorded")).toBeVisible()
  expect(cellsOf(await rowOf(/Reading holdings/))).toMatch(/\| Withdrawn \|/)
})

test("the history has every consent with the hash of its text, and saves the file of a paper", async () => {
  const names = watchDownloads()
  const files = answerFile(`${client}/consents/consent-2/file`, "consent-C0001.pdf")
  const paper = consentRow({
    _id: "consent-2",
    method: "PAPER",
    recordedBy: "Farhan Ali",
    ip: "",
    file: "f".repeat(64),
    recordedAt: "2026-05-02T05:00:00Z",
    withdrawnAt: "2026-06-02T05:00:00Z",
  })
  const { user } = await open([consentsTo({ ...holdings, given: [paper, consentRow()] })])

  const history = await table("History of consents")
  const [, second, first] = history.getAllByRole("row")
  expect(cellsOf(second!)).toMatch(
    /On paper, recorded by Farhan Ali \| 02\/05\/2026 10:30 IST \| - \| b865dd85e324 \| 02\/06\/2026 10:30 IST, on the client's page/,
  )
  expect(cellsOf(first!)).toMatch(/203\.0\.113\.7 \| b865dd85e324 \| - \|/)
  await user.click(within(second!).getByRole("button"))
  await user.click(await screen.findByRole("menuitem", { name: "Save file" }))
  await waitFor(() => expect(names).toEqual(["consent-C0001.pdf"]))
  expect(files).toHaveLength(1)
})
