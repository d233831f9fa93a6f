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
  disclosures: z.string(),
  standardWarning: needed("Standard warning"),
  noAssurance: needed("No assurance"),
  rationaleRequired: z.boolean(),
  bandPercentage: percent,
  minimumTradeValue: z
    .number("Please enter a valid amount")
    .check(z.minimum(0, "Please enter a valid amount")),
  priceBufferPercentage: percent,
  priceTolerancePercentage: percent,
  tradePenalty: z.number("Enter a number").check(z.minimum(0, "Enter a number")),
  includeCharges: z.boolean(),
  allowFreshFunds: z.boolean(),
})

type Draft = z.output<typeof firmSchema>

/** What the form starts with: the fields of the record that may be changed. */
export const draftOf = ({ renewalOn, version: _, updatedAt: __, ...firm }: FirmDetails): Draft => ({
  ...firm,
  renewalOn: renewalOn ?? "",
})

export const sentOf = ({ renewalOn, ...draft }: Draft, version: number): EditedFirm => ({
  ...draft,
  renewalOn: renewalOn === "" ? null : renewalOn,
  version,
})
