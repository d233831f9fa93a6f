import type { Desk } from "./desk"

/** The second broker of the demo firm, switched off, so that nothing else takes it for the one in use. */
export async function keepBroker(desk: Desk) {
  const known = await desk.call<{ name: string }[]>("GET", "/brokers")
  if (known.some(({ name }) => name === "ANGEL_ONE")) return
  await desk.call("POST", "/brokers/add", {
    name: "ANGEL_ONE",
    description: "SmartAPI",
    logo: "",
    apiKey: "angelkey12345",
    apiSecret: "not-a-real-secret",
    apiUrl: "https://apiconnect.angelone.in",
    isRenewSessionAllowed: false,
  })
  const [broker] = (
    await desk.call<{ name: string; _id: string; version: number }[]>("GET", "/brokers")
  ).filter(({ name }) => name === "ANGEL_ONE")
  if (!broker) throw new Error("the broker was not added")
  const { _id: id, version } = broker
  await desk.call("PUT", "/brokers/edit", { id, version, status: "INACTIVE" })
}
