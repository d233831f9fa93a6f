import { date } from "@/lib/dates"
import { finePercent, rupees } from "@/lib/format"
import type { TaxRateLine } from "./tax-rate-queries"

const items: Partial<Record<string, string>> = {
  short_term: "Short-term gains",
  long_term: "Long-term gains",
  exemption: "Exemption of long-term gains in a year",
  holding_period: "Long-term if held for more than",
  cess: "Health and education cess",
  surcharge_up_to_50_lakh: "Surcharge, income up to ₹50 lakh",
  surcharge_up_to_1_crore: "Surcharge, income ₹50 lakh to ₹1 crore",
  surcharge_above_1_crore: "Surcharge, income above ₹1 crore",
  grandfathered_until: "High of the day may be the cost if bought until",
  section_short_term: "Section of short-term gains",
  section_long_term: "Section of long-term gains",
  section_set_off: "Section of set-off",
  buyback_proceeds: "Buyback: part of the amount that is proceeds",
  buyback_cost: "Buyback: part of the cost that counts",
  buyback_dividend: "Buyback: part of the amount that is dividend",
}

export const rateName = ({ item }: TaxRateLine) => items[item] ?? item

export function rateValue({ value, unit }: TaxRateLine): string {
  switch (unit) {
    case "percent":
      return finePercent(Number(value))
    case "rupees":
      return rupees(Number(value))
    case "months":
      return `${value} months`
    case "date":
      return date(value)
    case "text":
      return value
  }
}

/** The day of a past law does not change. */
export const isEditable = ({ unit }: TaxRateLine) => unit !== "date"
