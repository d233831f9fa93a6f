import { basisPointsOf, percentOf } from "@/lib/shares"
import type { Model } from "@/parts/models"
import type { Constituent } from "./constituents"
import type { NewVersion } from "./types"

interface VersionTexts {
  name: string
  benchmark: string
  universe: string
  selectionMethod: string
  risks: string
  rationale: string
}

/** A version in the editor; this tab keeps it. */
export interface ModelDraft {
  owner: string
  /** The number of the version it is based on; 0 for a new model. */
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

/** The name of the model's draft in this tab. */
export const draftName = (model: Model | null) => `model.${model?._id ?? "new"}`

/** The draft to start from: an empty one, or the newest version without its rationale. */
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

/** The body of the call that publishes. */
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

/** Why these rows cannot be published; null when they can. */
export function faultOfRows(rows: Constituent[]): string | null {
  if (rows.length === 0) return "Add at least one stock."
  const [unset] = rows.filter(({ target }) => (target ?? 0) === 0)
  return unset ? `Set a target for ${unset.symbol}, or remove it.` : null
}
