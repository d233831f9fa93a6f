import type { components } from "@/api/schema"

type Schemas = components["schemas"]

export type ModelRow = Schemas["ModelRow"]
export type Model = Schemas["ModelShown"]
export type ModelVersion = Schemas["ModelVersionRow"]
export type ModelStatus = Schemas["ModelStatus"]
export type ConstituentRow = ModelVersion["constituents"][number]
export type NewVersion = Schemas["NewModelVersion"]
export type Subscriber = Schemas["SubscriberRow"]
export type Candidate = Schemas["CandidateRow"]
export type DriftRow = Schemas["DriftRow"]

export type BookLimits = Schemas["BookLimitsShown"]
export type Run = Schemas["BookRunShown"]
export type RunState = Run["state"]
export type TileCount = Schemas["TileShown"]
export type Tile = Schemas["Tile"]
export type Outside = Schemas["Outside"]
/** Options of a run as they are chosen; what is left out is the firm's own setting. */
export type RunOptions = Partial<Run["options"]>
export type RunClient = Schemas["BookClientRow"]
export type ClientState = Schemas["ClientState"]
export type ClientInRun = Schemas["BookClientShown"]
export type Leg = Schemas["RebalanceRow"]

export type Restriction = Schemas["RestrictionRow"]
