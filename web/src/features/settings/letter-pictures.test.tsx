import { useQuery } from "@tanstack/react-query"
import { screen, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { firmDetailsQuery } from "@/api/shared-queries"
import { answer, refuse } from "@/testing/server"
import { type Person, show } from "@/testing/show"
import { LetterPictures } from "./letter-pictures"

const picture = "data:image/png;base64,iVBORw0KGgo="
const file = new File(["a picture"], "logo.png", { type: "image/png" })

function Pictures() {
  const firm = useQuery(firmDetailsQuery)
  return firm.data ? <LetterPictures firm={firm.data} /> : null
}

beforeEach(() => {
  answer("get", "/settings/firm", { logo: null, signature: null })
})

const choose = (user: Person, name: string) => {
  const input = document.querySelectorAll<HTMLInputElement>("input[type=file]")
  return user.upload(input[name === "Logo" ? 0 : 1]!, file)
}
const part = async (name: string) => within(await screen.findByRole("region", { name }))

test("a chosen logo is uploaded, shown and removed", async () => {
  const saved = { logo: picture, signature: null }
  const uploads = answer("put", "/settings/firm/logo", saved, { message: "Logo saved" })
  const removed = { logo: null, signature: null }
  answer("delete", "/settings/firm/logo", removed, { message: "Logo removed" })
  const { user } = await show(<Pictures />)
  const logo = await part("Logo")

  await choose(user, "Logo")
  expect(await logo.findByRole("img", { name: "Logo of letters" })).toHaveAttribute("src", picture)
  expect(uploads).toHaveLength(1)
  await user.click(logo.getByRole("button", { name: "Remove logo" }))

  expect(await logo.findByRole("button", { name: "Upload logo" })).toBeVisible()
  expect(logo.queryByRole("img")).not.toBeInTheDocument()
})

test("a refused picture says why", async () => {
  const message = "The file is not a PNG, JPEG or WebP picture."
  refuse("put", "/settings/firm/signature", 422, message)
  const { user } = await show(<Pictures />)
  await part("Signature")

  await choose(user, "Signature")

  expect(await screen.findByText(message)).toBeVisible()
})
