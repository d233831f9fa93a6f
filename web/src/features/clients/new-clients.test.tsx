import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { answer, breakOff, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { toastMessages } from "@/testing/toasts"
import { NewClients } from "./new-clients"

const submit = () => screen.getByRole("button", { name: "Submit" })

async function typeOne(user: Awaited<ReturnType<typeof show>>["user"]) {
  await user.fill(screen.getByLabelText("Name"), "Kavya Menon")
  await user.fill(screen.getByLabelText("Contact number"), "9876543210")
  await user.fill(screen.getByLabelText("Email"), "kavya@menon.in")
}

test("a client is sent with the default country code, and the server's message is shown", async () => {
  const calls = answer("post", "/clients/add", [], { message: "Client created successfully" })
  const onClose = vi.fn()
  const { user } = await show(<NewClients onClose={onClose} />)

  await typeOne(user)
  await user.click(submit())

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(calls[0]?.body).toEqual({
    clients: [
      {
        name: "Kavya Menon",
        countryCode: "+91",
        contactNumber: "9876543210",
        email: "kavya@menon.in",
        role: "client",
        language: "EN",
      },
    ],
  })
  expect(toastMessages()).toEqual(["Client created successfully"])
})

test("a client's letters can be in Hindi from the first one", async () => {
  const calls = answer("post", "/clients/add", [])
  const { user } = await show(<NewClients onClose={vi.fn()} />)

  await typeOne(user)
  await user.selectOptions(screen.getByLabelText("Language"), "हिन्दी (Hindi)")
  await user.click(submit())

  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]?.body).toMatchObject({ clients: [{ language: "HI" }] })
})

test("what is missing is said at its field and nothing is sent", async () => {
  const calls = answer("post", "/clients/add", [])
  const { user } = await show(<NewClients onClose={vi.fn()} />)

  await user.click(submit())

  expect(await screen.findByText("Name is required")).toBeVisible()
  expect(screen.getByText("Email is required")).toBeVisible()
  await waitFor(() => expect(screen.getByLabelText("Name")).toHaveFocus())
  expect(calls).toHaveLength(0)
})

test("no more than ten digits of a contact number are taken", async () => {
  const { user } = await show(<NewClients onClose={vi.fn()} />)

  await user.fill(screen.getByLabelText("Contact number"), "98765x4321099")

  expect(screen.getByLabelText("Contact number")).toHaveValue("9876543210")
})

test("the server's error is shown at the row that it names", async () => {
  refuse("post", "/clients/add", 409, "Row 2: Email already registered", [
    { field: "1.email", message: "Email already registered" },
  ])
  const onClose = vi.fn()
  const { user } = await show(<NewClients onClose={onClose} />)
  await typeOne(user)
  await user.click(screen.getByRole("button", { name: "Add Row" }))
  await user.fill(screen.getByLabelText("Name of row 2"), "Asha Rao")
  await user.fill(screen.getByLabelText("Email of row 2"), "asha@rao.in")

  await user.click(submit())

  const second = screen.getByRole("group", { name: "Client 2" })
  expect(await within(second).findByText("Email already registered")).toBeVisible()
  expect(toastMessages()).toEqual(["Row 2: Email already registered"])
  expect(onClose).not.toHaveBeenCalled()
})

test("the same rows sent again bear the same key, changed rows another", async () => {
  const lost = breakOff("post", "/clients/add")
  const { user } = await show(<NewClients onClose={vi.fn()} />)
  await typeOne(user)

  await user.click(submit())
  await waitFor(() => expect(lost).toHaveLength(1))
  await waitFor(() => expect(submit()).toBeEnabled())
  await user.click(submit())
  await waitFor(() => expect(lost).toHaveLength(2))
  await waitFor(() => expect(submit()).toBeEnabled())
  await user.fill(screen.getByLabelText("Name"), " Nair")
  await user.click(submit())
  await waitFor(() => expect(lost).toHaveLength(3))

  const keys = lost.map((call) => call.headers.get("Idempotency-Key"))
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})

test("without words of the server, something went wrong", async () => {
  refuse("post", "/clients/add", 500, "")
  const { user } = await show(<NewClients onClose={vi.fn()} />)
  await typeOne(user)

  await user.click(submit())

  await waitFor(() => expect(toastMessages()).toEqual(["Something went wrong"]))
})

test("rows pasted from a spreadsheet fill the form", async () => {
  await show(<NewClients onClose={vi.fn()} />)

  fireEvent.paste(screen.getByLabelText("Name"), {
    clipboardData: {
      getData: () => "Asha Rao\tasha@rao.in\nRavi Iyer\travi@iyer.in\t9876500000\n",
    },
  })

  expect(screen.getAllByRole("group")).toHaveLength(2)
  expect(screen.getByLabelText("Name")).toHaveValue("Asha Rao")
  expect(screen.getByLabelText("Email of row 2")).toHaveValue("ravi@iyer.in")
  expect(screen.getByLabelText("Contact number of row 2")).toHaveValue("9876500000")
})

test("a row can be removed, and the last one stays", async () => {
  const { user } = await show(<NewClients onClose={vi.fn()} />)
  expect(screen.queryByRole("button", { name: /Remove row/ })).toBeNull()
  await user.click(screen.getByRole("button", { name: "Add Row" }))

  await user.click(screen.getByRole("button", { name: "Remove row 1" }))

  expect(screen.getAllByRole("group")).toHaveLength(1)
})

test("Cancel asks before it drops what was typed", async () => {
  const onClose = vi.fn()
  const { user } = await show(<NewClients onClose={onClose} />)
  await user.fill(screen.getByLabelText("Name"), "Kavya")

  await user.click(screen.getByRole("button", { name: "Cancel" }))
  await screen.findByText("Discard changes?")
  await user.click(screen.getAllByRole("button", { name: "Cancel" }).at(-1)!)
  expect(onClose).not.toHaveBeenCalled()

  await user.click(screen.getByRole("button", { name: "Cancel" }))
  await user.click(await screen.findByRole("button", { name: "Discard" }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test("an untouched form closes at once", async () => {
  const onClose = vi.fn()
  const { user } = await show(<NewClients onClose={onClose} />)

  await user.click(screen.getByRole("button", { name: "Cancel" }))

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})
