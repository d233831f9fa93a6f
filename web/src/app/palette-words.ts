/** What was typed into the palette, without the words that only say what is to be done. */
export interface Asked {
  words: string[]
  /** The word that clients are searched by; the others are looked for in what is found. */
  longest: string
  /** Advice comes first. */
  isAdvice: boolean
  /** Only stocks are asked about: "who holds titan". */
  isHolders: boolean
}

const advice = new Set(["advice", "advise", "send"])
const holders = new Set(["who", "holds", "holders", "holding"])
const fillers = new Set(["a", "of", "the", "to", "for", "open"])

export const wordsIn = (text: string) => text.trim().toLowerCase().split(/\s+/).filter(Boolean)

/** Whether a text has all of these words, in any order. */
export const hasWords = (text: string, words: string[]) =>
  words.every((word) => text.includes(word))

/** A query's words: "advice c0007" asks for C0007, "who holds titan" for TITAN. */
export function askedIn(query: string): Asked {
  const all = wordsIn(query)
  const rest = all.filter((word) => !advice.has(word) && !holders.has(word) && !fillers.has(word))
  // A name may be one of these words: alone it is searched for.
  const words = rest.length > 0 ? rest : all
  return {
    words,
    longest: words.toSorted((first, second) => second.length - first.length)[0] ?? "",
    isAdvice: rest.length > 0 && all.some((word) => advice.has(word)),
    isHolders: rest.length > 0 && all.some((word) => holders.has(word)),
  }
}
