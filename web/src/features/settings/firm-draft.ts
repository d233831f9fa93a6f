import * as z from "zod/mini"
import type { EditedFirm, FirmDetails } from "./queries"

const needed = (name: string) => z.string().check(z.trim(), z.minLength(1, `${name} is required`))
const percent = z
  .number("Enter a percentage")
  .check(z.minimum(0, "Enter a percentage"), z.maximum(100, "At most 100%"))
const amount = z
  .number("Please enter a valid amount")
  .check(z.minimum(0, "Please enter a valid amount"))
const day = z.iso.date("Please select a valid date")

/** The firm's details as they are typed; a renewal date may be left empty. */
export const firmSchema = z.object({
  name: needed("Name"),
  registrationNumber: needed("Registration number"),
  analystName: needed("Name"),
  designation: z.string(),
  registeredFrom: day,
  validity: needed("Validity"),
  renewalOn: z.union([z.literal(""), day]),
  contact: z.string(),
  address: z.string(),
  standardWarning: needed("Standard warning"),
  noAssurance: needed("No assurance"),
  standardWarningHi: needed("Standard warning in Hindi"),
  noAssuranceHi: needed("No assurance in Hindi"),
  aiUse: z.string(),
  aiUseHi: z.string(),
  adviceDays: z
    .string()
    .check(z.trim(), z.regex(/^([1-9]|[12]\d|30)$/, "Enter 1 to 30 business days")),
  rationaleRequired: z.boolean(),
  bandPercentage: percent,
  minimumTradeValue: amount,
  adviceMinimumTradeValue: amount,
  sellsPledged: z.boolean(),
  limitsPurchases: z.boolean(),
  usableProceedsPercentage: percent,
  priceBufferPercentage: percent,
  priceTolerancePercentage: percent,
  priceMinutes: z.string().check(z.trim(), z.regex(/^[1-9]\d{0,3}$/, "Enter 1 to 1440 minutes")),
  tradePenalty: z.number("Enter a number").check(z.minimum(0, "Enter a number")),
  includeCharges: z.boolean(),
  allowFreshFunds: z.boolean(),
})

type Draft = z.output<typeof firmSchema>

/** What the form starts with; the schema leaves out what is not a field of it. */
export const draftOf = (firm: FirmDetails) => ({
  ...firm,
  renewalOn: firm.renewalOn ?? "",
  adviceDays: String(firm.adviceDays),
  priceMinutes: String(firm.priceMinutes),
})

export const sentOf = (
  { renewalOn, priceMinutes, adviceDays, ...draft }: Draft,
  version: number,
): EditedFirm => ({
  ...draft,
  priceMinutes: Number(priceMinutes),
  adviceDays: Number(adviceDays),
  renewalOn: renewalOn === "" ? null : renewalOn,
  version,
})
