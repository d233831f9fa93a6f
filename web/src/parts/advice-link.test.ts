import { expect, test } from "vitest"
import { messageWith, telegramAddress, whatsAppAddress } from "./advice-link"

const firm = { name: "Meridian & Sons", registrationNumber: "INH000012345" }
const url = "https://tarazu.example/a/abc?x=1&y=2"

test("the message has the registered name and number first, then the link", () => {
  expect(messageWith(url, firm)).toBe(
    `Meridian & Sons, SEBI registration number INH000012345. Your advice is here: ${url}`,
  )
})

test("a firm whose number is not entered yet is named alone", () => {
  expect(messageWith(url, { ...firm, registrationNumber: "" })).toBe(
    `Meridian & Sons. Your advice is here: ${url}`,
  )
})

test("WhatsApp gets the digits of the number and the whole message, whatever is in it", () => {
  const address = new URL(whatsAppAddress("+91 90127-08438", messageWith(url, firm)))

  expect(address.origin + address.pathname).toBe("https://wa.me/919012708438")
  expect(address.searchParams.get("text")).toBe(messageWith(url, firm))
})

test("without a number WhatsApp asks for the contact", () => {
  expect(whatsAppAddress("", "Hello")).toBe("https://wa.me/?text=Hello")
})

test("Telegram gets the link and the text apart", () => {
  const address = new URL(telegramAddress(url, firm))

  expect(address.origin + address.pathname).toBe("https://t.me/share/url")
  expect(address.searchParams.get("url")).toBe(url)
  expect(address.searchParams.get("text")).toMatch(/^Meridian & Sons, SEBI registration number INH/)
})
