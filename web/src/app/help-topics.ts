export type Key = readonly [key: string, meaning: string]

export interface Topic {
  /** The address of the screen, without its search part. */
  at: string
  title: string
  /** What the screen is for. */
  text: string
  /** The keys of this screen, besides those of every screen. */
  keys?: Key[]
  /** Sections of the operations guide that go further. */
  guide?: string[]
  adminOnly?: boolean
}

const steps: Key = ["[ ]", "Previous or next client"]
const search: Key = ["/", "Search"]
const open: Key = ["Enter", "Open the row in focus"]

/** What each screen is for and its own keys. An address belongs to the topic with the longest matching one. */
export const topics: Topic[] = [
  {
    at: "/home/dashboard",
    title: "Dashboard",
    text: "The firm at a glance: total AUM, cash and fees, what needs attention today, the clients whose value moved most, all stocks held, and the value at each daily close.",
    guide: ["Closing prices without a broker"],
  },
  {
    at: "/home/client/details",
    title: "Client Details",
    text: "All clients with their value, profit and cash. Add clients by hand or import them; the menu beside the search imports clients, holdings, funds and closing prices.",
    keys: [search, ["N", "Add New Client"], open],
  },
  {
    at: "/home/client/profile",
    title: "Profile",
    text: "One client's details, value, broker connection and remarks. Edit changes the record; the connect link lets the client log in to the broker.",
    keys: [steps, ["N", "Add remark"], ["Ctrl Enter", "Save the remark"]],
  },
  {
    at: "/home/client/portfolio",
    title: "Portfolio",
    text: "One client's holdings at live prices, cash, deposits and withdrawals, returns and restrictions. Holdings come from the broker or from an imported file.",
    keys: [steps],
  },
  {
    at: "/home/client/fees",
    title: "Client fees",
    text: "The fee of each period, calculated on the net gain by the fee schedule in force when the period began. Mark a fee as paid with its date.",
    keys: [steps, ["N", "Add Row"]],
  },
  {
    at: "/home/client/order-book",
    title: "Order Book",
    text: "The client's orders as the broker reports them, newest first. Connect the client's broker on the profile to read them.",
    keys: [steps],
  },
  {
    at: "/home/client/tax",
    title: "Tax",
    text: "One client's gains of a tax year from first-in-first-out lots: realised gains, set-off and exemption, open lots, harvestable losses, and stocks whose lots are not known. Arithmetic, not tax advice.",
    keys: [steps],
    guide: ["Tax lots and gains"],
  },
  {
    at: "/home/client/papers",
    title: "Papers",
    text: "One client's KYC (PAN, and what the KRA says) and consents to the firm's texts, each with its version. The client consents on the page of an advice; a signed paper is recorded here with its file.",
    keys: [steps],
    guide: ["Papers of clients"],
  },
  {
    at: "/home/client/advice-history",
    title: "Advice History",
    text: "Every advice sent to the client, with its delivery, its letter and the check of its seal.",
    keys: [steps],
    guide: ["Sealed advice"],
  },
  {
    at: "/home/readiness",
    title: "Readiness",
    text: "Which clients can be advised now, and the problems of the others: broker login, stale holdings, unknown stocks, cash mismatch, stale prices.",
    keys: [search, open],
  },
  {
    at: "/home/advice",
    title: "Advice",
    text: "Choose a client by code or name, set a target for each stock, and rebalance: the result lists whole-share orders that come closest to the targets.",
    keys: [
      ["/", "Search a stock to add"],
      ["↑ ↓", "Previous or next target"],
      ["A", "Auto on or off for the row"],
      ["Ctrl Enter", "Rebalance Portfolio"],
      ["Ctrl Z", "Undo in the advice form"],
      ["Ctrl Shift Z", "Redo in the advice form"],
    ],
    adminOnly: true,
  },
  {
    at: "/home/advice-rebalance",
    title: "Rebalance result",
    text: "The orders, how close they come to the targets and what they cost. Send repeats client, total and count before anything leaves, and shows every check.",
    guide: ["Mail", "Sealed advice"],
    adminOnly: true,
  },
  {
    at: "/home/advice-preview",
    title: "Advice preview",
    text: "The orders of the advice as they would be now. Nothing is sent from here.",
    adminOnly: true,
  },
  {
    at: "/home/follow-up",
    title: "Follow-up",
    text: "What each client did with each advice: read, acted on, at what price, how late, and what is left. A tile shows the advice in one state; a row opens to its orders and trades.",
    keys: [search, open],
  },
  {
    at: "/home/follow-up/stocks",
    title: "Follow-up by stock",
    text: "How the advice on each stock was carried out over all clients: how many acted, and how far from the advised price they traded.",
    keys: [search],
  },
  {
    at: "/home/follow-up/questions",
    title: "Questions",
    text: "What clients asked about their advice on their own page. Your answer is mailed to the client and saved here.",
    keys: [search],
  },
  {
    at: "/home/compliance/complaints",
    title: "Complaints",
    text: "Each complaint with the last day to resolve it. Resolve it from its menu. The counts of each month, without names, are public at /complaints.",
    keys: [search],
    adminOnly: true,
  },
  {
    at: "/home/approvals",
    title: "Approvals",
    text: "What needs a second administrator: who asked for it, what exactly, and who decided. Open a request to read and decide it. An own request can only be withdrawn.",
    keys: [open],
  },
  {
    at: "/home/own-trading",
    title: "Own trading",
    text: "Declare your own and your relatives' holdings and trades of shares. An administrator sees those of all staff.",
    keys: [search],
  },
  {
    at: "/home/models",
    title: "Models",
    text: "Named lists of targets that clients follow. A model changes by publishing a new version; older versions stay readable.",
    keys: [search, ["N", "New model"], open],
  },
  {
    at: "/home/models/book",
    title: "Rebalance the book",
    text: "Computes the orders of all subscribers of a model at the same prices. Review the clients, leave out or include some with a reason, then send to all that are ready.",
    keys: [["N", "New rebalance"], open],
    adminOnly: true,
  },
  {
    at: "/home/models/drift",
    title: "Drift",
    text: "How far each subscriber is from the newest version of the model, the furthest first, and who is outside the firm's tolerance.",
    keys: [search, open],
  },
  {
    at: "/home/corporate-actions",
    title: "Corporate actions",
    text: "Bonus issues, splits, dividends and other actions, with their ex-dates and the clients who hold the share. Import NSE's list or add an action by hand; undo restores every figure.",
    keys: [search],
    guide: ["Corporate actions"],
  },
  {
    at: "/home/fees",
    title: "Fees",
    text: "What the firm has charged and been paid, one row for each client, with what is due and overdue. A row opens the client's fees.",
    keys: [search, open],
  },
  {
    at: "/home/invoices",
    title: "Invoices",
    text: "Every invoice and credit note in the order of its number, with its taxes and its PDF. An invoice is issued when a fee is marked paid and never changes; a refund is a credit note.",
    keys: [search],
  },
  {
    at: "/home/compliance/packs",
    title: "Inspection packs",
    text: "A zip for an inspector or an auditor, of the firm or of one client, for at most five years: sealed advice with its letters, fees, invoices, registers, evidence of obligations and the audit trail, an index page and a program that checks that nothing was changed. A pack for the annual audit is ordered by duty and has a sample of the advice, by a rule that its index states. The list says who made which pack; a file is removed after 7 days.",
    adminOnly: true,
  },
  {
    at: "/home/compliance",
    title: "Compliance",
    text: "What the firm owes the regulator and by when, and its registers. A row opens to its rule, its source and its evidence; what is done has a file or a note, recorded when it is given. Where the product has the data it makes the file; record it once you have checked it. Add obligations of your own, and take the due days into your calendar. Deposit has what the firm needs and holds, and whether its analyst works part-time. Rules has the days and lists behind the registers, each with its source.",
    keys: [search, open],
    adminOnly: true,
  },
  {
    at: "/home/broker",
    title: "Broker & Exchange",
    text: "The brokers that the firm works with. Connect Broker logs the firm in for live prices; clients connect their own accounts by link.",
    guide: ["Closing prices without a broker"],
  },
  {
    at: "/home/models/calls",
    title: "Calls",
    text: "Every purchase that was advised until it was advised to be sold: what it gave after charges, beside the benchmark, and how often calls were right. All calls, none left out.",
    keys: [search],
    guide: ["Track records and calls"],
  },
  {
    at: "/home/roles-permission",
    title: "Roles & Permission",
    text: "Staff and client records. Invite staff with a temporary password, approve sign-ups, deactivate, delete and restore.",
    keys: [search, ["N", "Add a record"]],
  },
  {
    at: "/home/settings",
    title: "Settings",
    text: "Your password, second factor and passkeys; for an administrator also the firm's details, disclosures, rationales, teams, mail, sign-in, fee schedule, holidays, prices, charges, the benchmark and past performance.",
    guide: ["Settings", "Sign-in", "Mail", "Backups"],
  },
  {
    at: "/home/audit",
    title: "Audit Trail",
    text: "Every change, by whom and when, in a chain that shows any later alteration.",
    guide: ["Records and their years"],
    adminOnly: true,
  },
]

/** The topic of an address; undefined where there is none. */
export const topicAt = (pathname: string): Topic | undefined =>
  topics
    .filter(({ at }) => pathname.startsWith(at))
    .reduce<Topic | undefined>(
      (best, topic) => (best && best.at.length >= topic.at.length ? best : topic),
      undefined,
    )
