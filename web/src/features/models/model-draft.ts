import { basisPointsOf, percentOf } from "@/lib/shares"
import type { Constituent } from "./constituents"
import type { Model, NewVersion } from "./types"

export interface VersionTexts {
  name: string
  benchmark: string
  universe: string
  selectionMethod: string
  risks: string
  rationale: string
}

/** A version that is being written; `kept.ts` keeps it. */
export interface ModelDraft {
  owner: string
  /** The number of the version that it began from; 0 for a new model. */
  base: number
  texts: VersionTexts
  rows: Constituent[]
}

const blank: VersionTexts = {
  name: "",
  benchmark: "",
  universe: "",
  selectionMethod: "",
  risks: "",
  rationale: "",
}

/** The name under which the draft of a model is kept. */
export const draftName = (model: Model | null) => `model.${model?._id ?? "new"}`

/** Where writing begins: with nothing, or with the newest version. The rationale is new each time. */
export function draftFrom(model: Model | null, owner: string): ModelDraft {
  const [newest] = model?.versions ?? []
  if (!model || !newest) return { owner, base: 0, texts: blank, rows: [] }
  const { benchmark, universe, selectionMethod, risks } = newest
  return {
    owner,
    base: newest.number,
    texts: { ...blank, name: model.name, benchmark, universe, selectionMethod, risks },
    rows: newest.constituents.map(({ tradingSymbol, allocationPercentage, ...stock }) => ({
      symbol: tradingSymbol,
      exchange: stock.exchange,
      name: stock.name,
      isin: stock.isin,
      instrumentToken: stock.instrumentToken,
      target: basisPointsOf(allocationPercentage),
    })),
  }
}

/** What is published. */
export const versionOf = (texts: Omit<VersionTexts, "name">, rows: Constituent[]): NewVersion => ({
  rationale: texts.rationale.trim(),
  benchmark: texts.benchmark.trim(),
  universe: texts.universe.trim(),
  selectionMethod: texts.selectionMethod.trim(),
  risks: texts.risks.trim(),
  constituents: rows.map(({ symbol, exchange, instrumentToken, target }) => ({
    tradingSymbol: symbol,
    exchange,
    ...(instrumentToken === null ? {} : { instrumentToken }),
    allocationPercentage: percentOf(target ?? 0),
  })),
})

/** Why these rows may not be published; null when they may. */
export function faultOfRows(rows: Constituent[]): string | null {
  if (rows.length === 0) return "Add at least one stock."
  const [unset] = rows.filter(({ target }) => (target ?? 0) === 0)
  return unset ? `Set a target for ${unset.symbol}, or remove it.` : null
}
