import { expect, test } from "vitest"
import { qrCode } from "./qr"

/** A link of so many bytes. */
const link = (length: number) =>
  `otpauth://totp/Tarazu:someone%40example.com?secret=ABCDEFGH&issuer=Tarazu&x=${"q7/".repeat(80)}`.slice(
    0,
    length,
  )

const rowsOf = (text: string) =>
  qrCode(text)?.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join("")) ?? []

/** One number for a whole symbol. */
const sumOf = (rows: string[]) =>
  Array.from(rows.join("")).reduce((sum, bit) => (sum * 31 + Number(bit) + 1) % 1_000_000_007, 7)

test("a short text is the symbol that other encoders make of it", () => {
  expect(rowsOf("o")).toEqual([
    "111111100101101111111",
    "100000100111001000001",
    "101110101101101011101",
    "101110100101001011101",
    "101110100010101011101",
    "100000100000101000001",
    "111111101010101111111",
    "000000001101100000000",
    "111011111111011000100",
    "010010011010001000110",
    "101010100100100010001",
    "010100000010001000101",
    "010011110100101010110",
    "000000001011010101011",
    "111111101001011101111",
    "100000101111110111000",
    "101110101011011101101",
    "101110100010001000110",
    "101110101000100010001",
    "100000101100001000110",
    "111111101010101010111",
  ])
})

// Made with the Python package qrcode 8, level L, mask 0: the fullest and the emptiest of each version.
test.each([
  [17, 21, 719591654],
  [18, 25, 239543467],
  [32, 25, 607528697],
  [33, 29, 226908502],
  [53, 29, 415739042],
  [54, 33, 598081193],
  [78, 33, 865373169],
  [79, 37, 839989963],
  [106, 37, 876554234],
  [107, 41, 843899632],
  [125, 41, 167292856],
  [134, 41, 60502327],
  [135, 45, 247304811],
  [154, 45, 601198756],
  [155, 49, 786967926],
  [192, 49, 922354560],
  [193, 53, 373552222],
  [230, 53, 125051690],
])("%i bytes give %i modules a side", (length, side, sum) => {
  const rows = rowsOf(link(length))

  expect([rows.length, sumOf(rows)]).toEqual([side, sum])
})

test("what does not fit gives no symbol", () => {
  expect(qrCode("x".repeat(230))).not.toBeNull()
  expect(qrCode("x".repeat(231))).toBeNull()
})
