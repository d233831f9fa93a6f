import * as z from "zod/mini"
import { today } from "@/lib/dates"

/** An amount in rupees, zero or more. */
export const amountField = z
  .number("Please enter a valid amount")
  .check(z.minimum(0, "Please enter a valid amount"))

/** A day up to today. */
export const pastDayField = z.iso
  .date("Please select a valid date")
  .check(z.refine((day) => day <= today(), "Please select a valid date"))
