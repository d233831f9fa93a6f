import { screen, waitFor } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { toastMessages } from "@/testing/toasts"
import type { PastPerformance } from "./past-performance-queries"

const path = "/settings/past-performance"
const details: PastPerformance = {
  verifiedFrom: "2026-05-04",
  enrolUntil: "2026-09-03",
  certifiedUntil: "2028-05-03",
  wordsOwn: "Own account.",
  wordsCertified: "Certified.",
  wordsVerified: "Verified.",
  source: "Circulars.",
  effectiveOn: "2026-11-23",
  enrolledOn: null,
  enrolment: "",
  certificate: "",
  certifiedFirst: null,
  certifiedLast: null,
  verification: "",
  verifiedFirst: null,
  verifiedLast: null,
  version: 3,
  updatedAt: "2026-11-23T00:00:00Z",
}

beforeEach(() => signedIn())

const open = () => showApp("/home/settings?section=pastPerformance", { role: "ADMIN" })

test("what the firm has is saved with the version that was seen", async () => {
  answer("get", path, details)
  const sent = answer("put", path, { ...details, version: 4 }, { message: "Saved." })
  const { user } = await open()

  await user.refill(await screen.findByLabelText("Enrolled with PaRRVA on"), "01-08-2026")
  await user.refill(screen.getByLabelText("Enrolment number"), "PV 42")
  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(toastMessages()).toEqual(["Saved."]))
  expect(sent[0]?.body).toMatchObject({
    enrolledOn: "2026-08-01",
    enrolment: "PV 42",
    certifiedFirst: null,
    verifiedFrom: "2026-05-04",
    version: 3,
  })
})

test("a rule without its day is not saved", async () => {
  answer("get", path, details)
  const { user } = await open()

  await user.clear(await screen.findByLabelText("Enrolment possible until"))
  await user.click(screen.getByRole("button", { name: "Save" }))

  expect(await screen.findByText("Please select a valid date")).toBeVisible()
})
