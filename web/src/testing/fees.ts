import type { components } from "@/api/schema"

type FeeRow = components["schemas"]["FeeRow"]
type ClientFeesRow = components["schemas"]["ClientFeesRow"]
type FlowsChanged = components["schemas"]["FlowsChanged"]
type FeeScheduleVersion = components["schemas"]["FeeScheduleVersion"]

/** ₹9,000 past the limit in the twelve months to 31 March 2027. */
export const passedLimit = {
  yearFrom: "2026-04-01",
  until: "2027-03-31",
  fee: 60_000,
  familyFees: 160_000,
  yearlyLimit: 151_000,
  excess: 9_000,
}

/** ₹1,00,000 came into the period after its fee was computed. */
export const flowsChanged: FlowsChanged = {
  startingDate: "2025-04-01",
  fees: 30_000,
  netFundsAddedNow: 100_000,
  netGainNow: 50_000,
  feesNow: 10_000,
}

export const fee = (change: Partial<FeeRow> = {}): FeeRow => ({
  _id: "fee-1",
  startingDate: "2025-04-01",
  dueDate: "2026-04-30",
  finalDate: "2026-03-31",
  startingValue: 1_000_000,
  finalValue: 1_150_000,
  netFundsAdded: 0,
  netGain: 150_000,
  netGainPercentage: 15,
  applicablePercentage: 20,
  fees: 30_000,
  netGainAfterFees: 120_000,
  status: "DUE",
  paidDate: null,
  overLimit: false,
  flowsChanged: null,
  limit: null,
  scheduleFrom: "2024-02-14",
  modeOfPayment: null,
  reference: "",
  refunded: 0,
  endedOn: null,
  invoice: null,
  version: 1,
  ...change,
})

/** A period that still runs: nothing is charged for it yet. */
export const openFee = (change: Partial<FeeRow> = {}): FeeRow =>
  fee({
    _id: "fee-open",
    startingDate: "2026-04-01",
    dueDate: null,
    finalDate: null,
    finalValue: null,
    netFundsAdded: null,
    netGain: null,
    netGainPercentage: null,
    applicablePercentage: null,
    fees: null,
    netGainAfterFees: null,
    ...change,
  })

export const clientFees = (change: Partial<ClientFeesRow> = {}): ClientFeesRow => ({
  _id: "id-1",
  clientId: "C0001",
  userName: "Asha Rao",
  totalFees: 42_000,
  totalDue: 12_000,
  dueDate: "2026-10-31",
  totalPaid: 30_000,
  paidDate: "2026-08-02",
  status: "DUE",
  overLimit: false,
  flowsChanged: [],
  limit: null,
  ...change,
})

export const feeSchedule = (change: Partial<FeeScheduleVersion> = {}): FeeScheduleVersion => ({
  _id: "schedule-1",
  effectiveOn: "2024-02-14",
  kind: "SLABS",
  slabs: [{ from: 0, percentage: 20 }],
  fixedAmount: null,
  isAboveHighWaterMark: true,
  yearlyLimit: 151_000,
  source: "Default",
  isInForce: true,
  isInUse: true,
  createdAt: "2026-11-21T00:00:00Z",
  ...change,
})
