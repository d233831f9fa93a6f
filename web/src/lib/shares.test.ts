import { expect, test } from "vitest"
import { apportion } from "./shares"

test("nothing is lost when a whole is split", () => {
  expect(apportion(100, [1, 1, 1])).toEqual([34, 33, 33])
  expect(apportion(1, [1, 5])).toEqual([0, 1])
  expect(apportion(5, [0, 0])).toEqual([0, 0])
})
