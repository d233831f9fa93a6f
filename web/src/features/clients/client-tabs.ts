/** The tabs of a client, in their order. A screen that is added gets its line here. */
export const clientTabs = [
  { label: "Profile", to: "/home/client/profile" },
  { label: "Portfolio", to: "/home/client/portfolio" },
  { label: "Fees", to: "/home/client/fees" },
  { label: "Order Book", to: "/home/client/order-book" },
  { label: "Advice History", to: "/home/client/advice-history" },
  { label: "Tax", to: "/home/client/tax" },
  { label: "Papers", to: "/home/client/papers" },
] as const

/** The last part of an address with its words capitalised: `/home/client/advice-history` is "Advice History". */
export const titleOf = (path: string) =>
  (path.split("/").filter(Boolean).at(-1) ?? "")
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ")
