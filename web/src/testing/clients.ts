import type { components } from "@/api/schema"

type ClientRow = components["schemas"]["ClientRow"]
type ClientProfile = components["schemas"]["ClientProfile"]
type Portfolio = components["schemas"]["Portfolio"]
type Holding = components["schemas"]["HoldingRow"]
type Remark = components["schemas"]["RemarkRow"]
type Order = components["schemas"]["OrderRow"]

/** Sample rows of clients, as the server answers them. */
export const clientRow = (change: Partial<ClientRow> = {}): ClientRow => ({
  _id: "id-1",
  clientId: "C0001",
  name: "Asha Rao",
  staleSince: null,
  actionPending: false,
  totalPortfolio: 5_695_524.3,
  totalInvestment: 4_985_000,
  netPnL: 710_524.3,
  netPnLPercentage: 14.25,
  isSincePurchase: false,
  NetCashAmount: 145_478.1,
  isConnected: true,
  status: "ACTIVE",
  ...change,
})

export const pageOf = (total: number, limit = 50) => ({
  pagination: {
    currentPage: 1,
    totalPages: Math.ceil(total / limit),
    totalUsers: total,
    limit,
  },
})

export const clientProfile = (change: Partial<ClientProfile> = {}): ClientProfile => ({
  _id: "id-1",
  name: "Asha Rao",
  clientId: "C0001",
  email: "asha@rao.in",
  countryCode: "+91",
  contactNumber: "9012708438",
  address: "72 Model Town, Delhi 110009",
  dob: "1975-02-09",
  language: "EN",
  totalPortfolio: 5_695_524.3,
  totalInvestment: 4_985_000,
  netPnL: 710_524.3,
  netPnLPercentage: 14.25,
  isSincePurchase: false,
  totalCash: 145_478.1,
  isConnected: true,
  lastSync: "live",
  userBrokerId: "BN6885",
  broker: { name: "ZERODHA", logo: "" },
  status: "ACTIVE",
  previousClientId: null,
  nextClientId: "id-2",
  ...change,
})

export const portfolio = (change: Partial<Portfolio> = {}): Portfolio => ({
  startedFrom: "2024-11-21",
  totalDays: 730,
  portfolioValue: 1_250_000,
  startingCapital: 1_000_000,
  totalPnL: 250_000,
  pnlPercentage: 25,
  isSincePurchase: false,
  xirrPercentage: 11.8,
  xirrReason: "OK",
  xirrMessage: null,
  absoluteReturnPercentage: null,
  twrPercentage: 15.27,
  xirrPeriod: 2,
  netInvestment: 1_000_000,
  netProfit: 200_000,
  totalCurrentValue: 1_200_000,
  broker: { name: "ZERODHA", logo: "" },
  net: 50_000,
  cash: 45_000,
  intradayPayin: 5_000,
  cashByHand: null,
  isConnected: false,
  lastSync: null,
  holdingsSource: "DEMO",
  pricedAt: "2026-11-20T10:00:00Z",
  stalePrices: 0,
  oldestStaleAt: null,
  staleSources: [],
  actionSuspected: [],
  actionPending: [],
  closesNotAdjusted: [],
  version: 1,
  ...change,
})

export const holding = (change: Partial<Holding> = {}): Holding => ({
  tradingSymbol: "INFY",
  exchange: "NSE",
  isin: "INE009A01021",
  instrumentToken: 408065,
  quantity: 500,
  free: 500,
  t1: 0,
  boughtToday: 0,
  pledged: 0,
  ltp: 1600,
  averagePrice: 1200,
  currentValue: 800_000,
  invested: 600_000,
  pnl: 200_000,
  pnlPercentage: 33.33,
  allocation: 66.67,
  isStale: false,
  pricedAt: "2026-11-20T10:00:00Z",
  priceSource: "ZERODHA",
  actionSuspected: false,
  actionPending: false,
  uncredited: 0,
  ...change,
})

export const remark = (change: Partial<Remark> = {}): Remark => ({
  _id: "remark-1",
  remark: "Prefers a call after 5 pm",
  createdAt: "2026-11-20T10:00:00Z",
  updatedAt: null,
  user: "id-1",
  author: "Meera Nair",
  version: 1,
  ...change,
})

export const order = (change: Partial<Order> = {}): Order => ({
  _id: "order-1",
  // Still the 19th in London, already the 20th in India.
  orderTimestamp: "2026-11-19T20:30:00Z",
  tradingSymbol: "INFY",
  quantity: 1200,
  filledQuantity: 1200,
  averagePrice: 1432.55,
  transactionType: "BUY",
  product: "DELIVERY",
  exchange: "NSE",
  orderStatus: "COMPLETE",
  rawStatus: "COMPLETE",
  isLapsed: false,
  ...change,
})
