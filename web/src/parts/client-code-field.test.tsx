import { screen, waitFor } from "@testing-library/react"
import { useState } from "react"
import { expect, test, vi } from "vitest"
import { clientRow, pageOf } from "@/testing/clients"
import { answer } from "@/testing/server"
import { show } from "@/testing/show"
import { ClientCodeField } from "./client-code-field"

const clients = [
  clientRow({ _id: "id-1", clientId: "C0001", name: "Asha Rao" }),
  clientRow({ _id: "id-4", clientId: "C0004", name: "Ashok Jain" }),
]

function Form({ onCode }: { onCode: (code: string) => void }) {
  const [code, setCode] = useState("C0009")
  const take = (next: string) => {
    onCode(next)
    setCode(next)
  }
  return <ClientCodeField code={code} onCode={take} />
}

async function showField() {
  const onCode = vi.fn()
  const calls = answer("get", "/admin/clients", clients, pageOf(2))
  const { user } = await show(<Form onCode={onCode} />)
  const field = screen.getByLabelText("Client code")
  return { user, field, onCode, calls }
}

test("letters offer the clients by name; Enter or a click fills in the code", async () => {
  const { user, field, onCode, calls } = await showField()
  await user.tripleClick(field)
  await user.paste("ash")

  const names = (await screen.findAllByRole("option")).map((each) => each.textContent)
  expect(names).toEqual(["Asha RaoC0001", "Ashok JainC0004"])
  expect(calls.at(-1)?.search.get("query")).toBe("ash")
  expect(onCode).not.toHaveBeenCalled()

  await user.keyboard("{ArrowDown}{Enter}")
  expect(onCode.mock.calls).toEqual([["C0004"]])
  expect(field).toHaveValue("C0004")
})

test("a name that is left keeps the code; a typed code needs no search", async () => {
  const { user, field, onCode, calls } = await showField()
  await user.tripleClick(field)
  await user.keyboard("Ch")
  expect(onCode).not.toHaveBeenCalled()
  await user.keyboard("{Escape}")
  expect(field).toHaveValue("C0009")

  await user.tripleClick(field)
  await user.keyboard("x")
  await user.tab()
  await waitFor(() => expect(field).toHaveValue("C0009"))

  await user.tripleClick(field)
  await user.paste("C0012")
  expect(onCode.mock.calls).toEqual([["C0012"]])
  expect(calls).toHaveLength(0)
})
