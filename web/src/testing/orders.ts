import { screen } from "@testing-library/react"
import { chooseClient } from "@/api/session"
import { clientProfile, order, pageOf } from "./clients"
import { answer } from "./server"
import { showApp } from "./show"
import { signedIn } from "./signed-in"

export const ordersPath = "/admin/clients/client/id-1/order-book"

/** Makes Asha the chosen client, and answers the calls around her order book. */
export function ordersChosen() {
  chooseClient("id-1", "C0001")
  signedIn()
  answer("get", "/admin/clients/client/id-1/profile", clientProfile())
}

export const answerOrders = (orders = [order()], total = orders.length, limit = 20) =>
  answer("get", ordersPath, { orders }, pageOf(total, limit))

export const openOrders = (search = "") =>
  showApp(`/home/client/order-book${search}`, { role: "ADMIN" })

/** Waits for the row of `order()`. */
export const ordersShown = () => screen.findByRole("cell", { name: "INFY" })
