import { expect, test } from "vitest"
import { taxYears } from "./words"

test("the years go back to 2018-19 and begin in April", () => {
  expect(taxYears("2026-03-31")[0]).toBe("2025-26")
  expect(taxYears("2026-04-01")[0]).toBe("2026-27")
  expect(taxYears("2026-04-01").at(-1)).toBe("2018-19")
  expect(taxYears("2099-04-01")[0]).toBe("2099-00")
})
