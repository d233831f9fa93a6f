/** QR codes (ISO/IEC 18004) of short texts: byte mode, error correction L, versions 1 to 9, mask 0. */

interface Version {
  /** Codewords of data and of correction in each of its equal blocks. */
  data: number
  correction: number
  blocks: number
  /** Where the centres of the alignment patterns cross. */
  alignment: number[]
}

const version = (data: number, correction: number, blocks: number, ...alignment: number[]) =>
  ({ data, correction, blocks, alignment }) satisfies Version

const versions: Version[] = [
  version(19, 7, 1),
  version(34, 10, 1, 6, 18),
  version(55, 15, 1, 6, 22),
  version(80, 20, 1, 6, 26),
  version(108, 26, 1, 6, 30),
  version(68, 18, 2, 6, 34),
  version(78, 20, 2, 6, 22, 38),
  version(97, 24, 2, 6, 24, 42),
  version(116, 30, 2, 6, 26, 46),
]

/** Level L with mask 0, and its correction, masked as the standard has it. */
const FORMAT = 0b111011111000100
const VERSION_POLYNOMIAL = 0x1f25
const FIELD_POLYNOMIAL = 0x11d

// Powers of 2 in the field of 256 elements, and their exponents.
const power: number[] = []
const exponent: number[] = []
for (let step = 0, value = 1; step < 255; step += 1) {
  power[step] = value
  exponent[value] = step
  value = value < 128 ? value * 2 : (value * 2) ^ FIELD_POLYNOMIAL
}
const at = (numbers: number[], place: number) => numbers[place] ?? 0
const product = (a: number, b: number) =>
  a === 0 || b === 0 ? 0 : at(power, (at(exponent, a) + at(exponent, b)) % 255)

/** The remainder of the data as a polynomial: what corrects it. */
function correctionOf(data: number[], length: number): number[] {
  let divisor = [1]
  for (let root = 0; root < length; root += 1) {
    const shifted = [...divisor, 0]
    divisor = shifted.map(
      (value, place) => value ^ product(at(divisor, place - 1), at(power, root)),
    )
  }
  const rest = [...data, ...Array.from({ length }, () => 0)]
  for (let place = 0; place < data.length; place += 1) {
    const lead = at(rest, place)
    divisor.forEach((value, step) => {
      rest[place + step] = at(rest, place + step) ^ product(value, lead)
    })
  }
  return rest.slice(data.length)
}

const bitsOf = (value: number, length: number) =>
  Array.from({ length }, (_, place) => (value >> (length - 1 - place)) & 1)

/** All codewords of a text in their order on the symbol, blocks taken in turns. */
function codewordsOf(bytes: Uint8Array, { data, correction, blocks }: Version): number[] {
  const room = data * blocks
  const bits = [...bitsOf(0b0100, 4), ...bitsOf(bytes.length, 8)]
  for (const byte of bytes) bits.push(...bitsOf(byte, 8))
  bits.push(0, 0, 0, 0)
  const words = Array.from({ length: Math.min(room, Math.ceil(bits.length / 8)) }, (_, place) =>
    Number.parseInt(
      bits
        .slice(place * 8, place * 8 + 8)
        .join("")
        .padEnd(8, "0"),
      2,
    ),
  )
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad)
  const parts = Array.from({ length: blocks }, (_, block) =>
    words.slice(block * data, (block + 1) * data),
  )
  const inTurns = (rows: number[][]) =>
    (rows[0] ?? []).flatMap((_, n) => rows.map((row) => at(row, n)))
  return [...inTurns(parts), ...inTurns(parts.map((part) => correctionOf(part, correction)))]
}

/** The 18 bits that name a version from 7 on, its correction included. */
function versionBits(number: number): number {
  let rest = number << 12
  for (let bit = 17; bit >= 12; bit -= 1) {
    if ((rest >> bit) & 1) rest ^= VERSION_POLYNOMIAL << (bit - 12)
  }
  return (number << 12) | rest
}

type Grid = (boolean | undefined)[][]

function drawPatterns(grid: Grid, number: number, { alignment }: Version) {
  const size = grid.length
  const set = (x: number, y: number, isDark: boolean) => {
    const row = grid[y]
    if (row && x >= 0 && x < size) row[x] = isDark
  }
  const rings = (x: number, y: number, reach: number, light: number) => {
    for (let dy = -reach; dy <= reach; dy += 1)
      for (let dx = -reach; dx <= reach; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy))
        set(x + dx, y + dy, ring !== light && ring !== 4)
      }
  }
  for (let place = 8; place < size - 8; place += 1) {
    set(place, 6, place % 2 === 0)
    set(6, place, place % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    rings(x, y, 4, 2)
  const last = alignment.at(-1)
  for (const x of alignment)
    for (const y of alignment) {
      const isCorner = (x === 6 && (y === 6 || y === last)) || (y === 6 && x === last)
      if (!isCorner) rings(x, y, 2, 1)
    }
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((FORMAT >> bit) & 1) === 1
    const near = bit < 6 ? bit : bit + 1
    if (bit < 8) set(8, near, isDark)
    else set(bit === 8 ? 7 : 14 - bit, 8, isDark)
    if (bit < 8) set(size - 1 - bit, 8, isDark)
    else set(8, size - 15 + bit, isDark)
  }
  set(8, size - 8, true)
  if (number < 7) return
  for (let bit = 0; bit < 18; bit += 1) {
    const isDark = ((versionBits(number) >> bit) & 1) === 1
    const [far, near] = [size - 11 + (bit % 3), Math.floor(bit / 3)]
    set(far, near, isDark)
    set(near, far, isDark)
  }
}

/** Rows of modules, true for dark, without the quiet zone; null when the text is too long. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text)
  const found = versions.findIndex(({ data, blocks }) => bytes.length <= data * blocks - 2)
  const chosen = versions[found]
  if (chosen === undefined) return null
  const size = 21 + 4 * found
  const grid: Grid = Array.from({ length: size }, () => Array.from({ length: size }))
  drawPatterns(grid, found + 1, chosen)
  const bits = codewordsOf(bytes, chosen).flatMap((word) => bitsOf(word, 8))
  let next = 0
  // Two columns at a time from the right, up and down in turns, around the timing column.
  for (let right = size - 1, isUp = true; right > 0; right -= right === 8 ? 3 : 2, isUp = !isUp) {
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        const row = grid[y]
        if (row && row[x] === undefined) {
          row[x] = ((at(bits, next) + ((x + y + 1) % 2)) & 1) === 1
          next += 1
        }
      }
    }
  }
  return grid.map((row) => row.map((isDark) => isDark === true))
}
