import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { chooseClient } from "@/api/session"
import { clientProfile, order, pageOf } from "@/testing/clients"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

test("the order book scrolls above 450 pixels and has 10, 20 or 50 rows on a page", async () => {
  chooseClient("id-1", "C0001")
  signedIn()
  answer("get", "/admin/clients/client/id-1/profile", clientProfile())
  answer("get", "/admin/clients/client/id-1/order-book", { orders: [order()] }, pageOf(1, 20))

  await showApp("/home/client/order-book", { role: "USER" })

  expect(await screen.findByRole("region", { name: "Order Book, table" })).toHaveStyle({
    maxHeight: "450px",
  })
  const sizes = within(screen.getByLabelText("Rows on a page")).getAllByRole("option")
  expect(sizes.map((option) => option.textContent)).toEqual(["10", "20", "50"])
})
