import { expect, test } from "vitest"
import { askedIn, hasWords } from "./palette-words"

test.each([
  ["advice c0007", { words: ["c0007"], longest: "c0007", isAdvice: true, isHolders: false }],
  ["C0007 Advice", { words: ["c0007"], longest: "c0007", isAdvice: true, isHolders: false }],
  ["who holds titan", { words: ["titan"], longest: "titan", isAdvice: false, isHolders: true }],
  ["mehta v", { words: ["mehta", "v"], longest: "mehta", isAdvice: false, isHolders: false }],
  ["advice", { words: ["advice"], longest: "advice", isAdvice: false, isHolders: false }],
])("%s", (query, parsedQuery) => {
  expect(askedIn(query)).toEqual(parsedQuery)
})

test("words are found in any order", () => {
  expect(hasWords("c0007 vidya mehta", ["mehta", "c0007"])).toBe(true)
  expect(hasWords("c0007 vidya mehta", ["mehta", "rao"])).toBe(false)
})
