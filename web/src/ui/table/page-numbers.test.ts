import { expect, test } from "vitest"
import { pageNumbers } from "./page-numbers"

test.each([
  [1, 1, [1]],
  [3, 7, [1, 2, 3, 4, 5, 6, 7]],
  [1, 8, [1, 2, null, 8]],
  [4, 8, [1, 2, 3, 4, 5, null, 8]],
  [5, 10, [1, null, 4, 5, 6, null, 10]],
  [10, 10, [1, null, 9, 10]],
])("page %i of %i shows %j", (page, pages, shown) => {
  expect(pageNumbers(page, pages)).toEqual(shown)
})
