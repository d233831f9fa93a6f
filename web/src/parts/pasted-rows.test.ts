import { expect, test } from "vitest"
import { codesIn, readPasted } from "./pasted-rows"

const read = (text: string) =>
  readPasted(text).map(({ symbol, exchange, isin, target }) => [symbol, exchange, isin, target])

test.each([
  ["INFY\t7.5", ["INFY", null, null, 750]],
  ["infy 7.50%", ["INFY", null, null, 750]],
  ["INFY, 7.5 %", ["INFY", null, null, 750]],
  ["NSE:INFY\t7.5", ["INFY", "NSE", null, 750]],
  ["INFY\tBSE\t12", ["INFY", "BSE", null, 1200]],
  ["INE009A01021\t8", ["", null, "INE009A01021", 800]],
  ["INFY\tINE009A01021\t8.25", ["INFY", null, "INE009A01021", 825]],
  ["M&M 4", ["M&M", null, null, 400]],
  ["BAJAJ-AUTO\t4", ["BAJAJ-AUTO", null, null, 400]],
  ["INFY", ["INFY", null, null, null]],
  ["INFY\t101", ["INFY", null, null, null]],
])("%s is read", (text, expected) => {
  expect(read(text)).toEqual([expected])
})

test("a heading, empty lines, cash and a total are no stocks", () => {
  const text = "Symbol\tWeight\r\nINFY\t60\r\n\r\nTCS\t30\r\nCash\t10\r\nTotal\t100\r\n"

  expect(read(text)).toEqual([
    ["INFY", null, null, 6000],
    ["TCS", null, null, 3000],
  ])
})

test("a symbol that begins with digits is not taken for its percent", () => {
  expect(read("360ONE\t5")).toEqual([["360ONE", null, null, 500]])
})

test("client codes are found in any text, each once", () => {
  expect(codesIn("C0001, c0002\nC0001\tAsha C12345 XC0009")).toEqual(["C0001", "C0002"])
  expect(codesIn("Asha Rao")).toEqual([])
})
