import * as z from "zod/mini"
import type { EditedFirm, FirmDetails } from "./queries"

const needed = (name: string) => z.string().check(z.trim(), z.minLength(1, `${name} is required`))
const percent = z
  .number("Enter a percentage")
  .check(z.minimum(0, "Enter a percentage"), z.maximum(100, "At most 100%"))
const day = z.iso.date("Please select a valid date")

/** The firm's details as they are typed; a renewal date may be left empty. */
export const firmSchema = z.object({
  name: needed("Name"),
  registrationNumber: needed("Registration number"),
  analystName: needed("Name"),
  registeredFrom: day,
  validity: needed("Validity"),
  renewalOn: z.union([z.literal(""), day]),
  contact: z.string(),
  address: z.string(),
  standardWarning: needed("Standard warning"),
  noAssurance: needed("No assurance"),
  rationaleRequired: z.boolean(),
  bandPercentage: percent,
  minimumTradeValue: z
    .number("Please enter a valid amount")
    .check(z.minimum(0, "Please enter a valid amount")),
  priceBufferPercentage: percent,
  priceTolerancePercentage: percent,
  priceMinutes: z.string().check(z.trim(), z.regex(/^[1-9]\d{0,3}$/, "Enter 1 to 1440 minutes")),
  tradePenalty: z.number("Enter a number").check(z.minimum(0, "Enter a number")),
  includeCharges: z.boolean(),
  allowFreshFunds: z.boolean(),
})

type Draft = z.output<typeof firmSchema>

/** What the form starts with: the fields of the record that may be changed. */
export const draftOf = (firm: FirmDetails): Draft => ({
  name: firm.name,
  registrationNumber: firm.registrationNumber,
  analystName: firm.analystName,
  registeredFrom: firm.registeredFrom,
  validity: firm.validity,
  renewalOn: firm.renewalOn ?? "",
  contact: firm.contact,
  address: firm.address,
  standardWarning: firm.standardWarning,
  noAssurance: firm.noAssurance,
  rationaleRequired: firm.rationaleRequired,
  bandPercentage: firm.bandPercentage,
  minimumTradeValue: firm.minimumTradeValue,
  priceBufferPercentage: firm.priceBufferPercentage,
  priceTolerancePercentage: firm.priceTolerancePercentage,
  priceMinutes: String(firm.priceMinutes),
  tradePenalty: firm.tradePenalty,
  includeCharges: firm.includeCharges,
  allowFreshFunds: firm.allowFreshFunds,
})

export const sentOf = (
  { renewalOn, priceMinutes, ...draft }: Draft,
  version: number,
): EditedFirm => ({
  ...draft,
  priceMinutes: Number(priceMinutes),
  renewalOn: renewalOn === "" ? null : renewalOn,
  version,
})
