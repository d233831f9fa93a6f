import { render, screen } from "@testing-library/react"
import { expect, test } from "vitest"
import QrPicture from "./qr-picture"

test("the picture has a module for each dark one of the code, inside the quiet zone", () => {
  render(<QrPicture text="o" label="QR code" />)

  const picture = screen.getByRole("img", { name: "QR code" })
  const path = picture.querySelector("path")?.getAttribute("d") ?? ""
  const topRow = Array.from(path.matchAll(/M(\d+) 4h/g), ([, x]) => Number(x))
  expect(picture).toHaveAttribute("viewBox", "0 0 29 29")
  // A finder pattern of seven modules at both ends, with mask 0 between them.
  expect(topRow).toEqual([4, 5, 6, 7, 8, 9, 10, 13, 15, 16, 18, 19, 20, 21, 22, 23, 24])
})
