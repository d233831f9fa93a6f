import { afterEach, describe, expect, test } from "vitest"
import {
  amountsHidden,
  decimal,
  finePercent,
  hidden,
  percent,
  price,
  quantity,
  rupees,
  shortRupees,
  signedPercent,
  signedQuantity,
  signedRupees,
  signedShortRupees,
  tone,
  unbrokenPercents,
} from "./format"

afterEach(() => amountsHidden.set(false))

describe("rupees", () => {
  test.each([
    [1234567.89, "₹12,34,567.89"],
    [0, "₹0.00"],
    [99.999, "₹100.00"],
    [-400.98, "-₹400.98"],
    [12345678901.5, "₹12,34,56,78,901.50"],
  ])("%f is written %s", (value, written) => {
    expect(rupees(value)).toBe(written)
  })

  test.each([null, undefined, Number.NaN, Number.POSITIVE_INFINITY])("%s is a dash", (value) => {
    expect(rupees(value)).toBe("-")
    expect(percent(value)).toBe("-")
    expect(quantity(value)).toBe("-")
    expect(price(value)).toBe("-")
    expect(shortRupees(value)).toBe("-")
  })

  test("what rounds to nought bears no sign", () => {
    expect(rupees(-0.004)).toBe("₹0.00")
    expect(signedRupees(-0.004)).toBe("₹0.00")
    expect(signedPercent(0.004)).toBe("0.00%")
  })
})

test.each([
  [417666.83, "+₹4,17,666.83"],
  [-400.98, "-₹400.98"],
  [0, "₹0.00"],
])("a change of %f is written %s", (value, written) => {
  expect(signedRupees(value)).toBe(written)
})

test.each([
  [465069955, "₹46.51 Cr"],
  [1240000, "₹12.40 L"],
  [-1240000, "-₹12.40 L"],
  [9840.4, "₹9,840"],
  [0, "₹0"],
  [99999.6, "₹1.00 L"],
  [9999499, "₹99.99 L"],
  [9999500, "₹1.00 Cr"],
])("%f in short is %s", (value, written) => {
  expect(shortRupees(value)).toBe(written)
})

test("a short gain bears its sign", () => {
  expect(signedShortRupees(310000)).toBe("+₹3.10 L")
  expect(signedShortRupees(-310000)).toBe("-₹3.10 L")
  expect(signedShortRupees(0)).toBe("₹0")
})

test("hidden amounts keep their percentages and prices", () => {
  amountsHidden.set(true)

  expect(rupees(12)).toBe(hidden)
  expect(signedRupees(-12)).toBe(hidden)
  expect(shortRupees(1e9)).toBe(hidden)
  expect(signedShortRupees(1e9)).toBe(hidden)
  expect(rupees(null)).toBe("-")
  expect(percent(12)).toBe("12.00%")
  expect(price(1432.5)).toBe("1,432.50")
})

test("percentages have two decimals", () => {
  expect(percent(6.5)).toBe("6.50%")
  expect(signedPercent(12.228)).toBe("+12.23%")
  expect(signedPercent(-0.174)).toBe("-0.17%")
})

test("a percent sign stays with its number", () => {
  const sentence = "Overweight: 9.28 % against a target of 6 %."
  expect(unbrokenPercents(sentence)).toBe("Overweight: 9.28\u00a0% against a target of 6\u00a0%.")
})

test("prices have two to four decimals, quantities none", () => {
  expect(price(1432.55)).toBe("1,432.55")
  expect(price(176.8235)).toBe("176.8235")
  expect(quantity(120000)).toBe("1,20,000")
  expect(signedQuantity(20)).toBe("+20")
  expect(signedQuantity(0)).toBe("0")
  expect(decimal(2.735)).toBe("2.74")
})

test("small rates keep their digits", () => {
  expect([finePercent(0.00297), finePercent(18), finePercent(0.0001), finePercent(null)]).toEqual([
    "0.00297%",
    "18.00%",
    "0.0001%",
    "-",
  ])
})

test("only a change that is seen has a colour", () => {
  expect([tone(1), tone(-1), tone(0), tone(0.001), tone(null)]).toEqual([
    "gain",
    "loss",
    undefined,
    undefined,
    undefined,
  ])
})
