import type { components } from "@/api/schema"

type Schemas = components["schemas"]
export type BookLimits = Schemas["BookLimitsShown"]
export type Run = Schemas["BookRunShown"]
export type RunState = Run["state"]
export type TileCount = Schemas["TileShown"]
export type Tile = Schemas["Tile"]
export type Outside = Schemas["Outside"]
/** Options of a run as they are chosen; the firm's setting applies to those left out. */
export type RunOptions = Partial<Run["options"]>
export type RunClient = Schemas["BookClientRow"]
export type ClientState = Schemas["ClientState"]
export type ClientInRun = Schemas["BookClientShown"]
export type Leg = Schemas["RebalanceRow"]
