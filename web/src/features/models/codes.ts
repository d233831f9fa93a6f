/** The client codes in a text, each once, in their order: `C0001, c0002` gives C0001 and C0002. */
export const codesIn = (text: string): string[] => [
  ...new Set((text.match(/\bc\d{4}\b/gi) ?? []).map((code) => code.toUpperCase())),
]
