import type { BrokerName } from "./queries"

/** The brokers on offer, in their order: what people call them, and where their interfaces are. */
export const offered: {
  name: BrokerName
  label: string
  apiUrl: string
  console: string
  needs?: string
}[] = [
  {
    name: "ZERODHA",
    label: "Zerodha",
    apiUrl: "https://api.kite.trade",
    console: "the Kite Connect developer console",
  },
  {
    name: "ANGEL_ONE",
    label: "Angel One",
    apiUrl: "https://apiconnect.angelone.in",
    console: "SmartAPI's app page",
    needs:
      'Create the app with the type "Publisher": Angel One refuses client log-ins to an app of the type "Trading". The redirect URL must begin with https.',
  },
]

/** The broker of a display name, or undefined. */
export const offeredAs = (label: string | undefined) => offered.find((each) => each.label === label)

/** What people call a broker. */
export const labelOf = (name: BrokerName) =>
  offered.find((each) => each.name === name)?.label ?? name
