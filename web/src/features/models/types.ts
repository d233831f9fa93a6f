import type { components } from "@/api/schema"

type Schemas = components["schemas"]
export type ModelVersion = Schemas["ModelVersionRow"]
export type ConstituentRow = ModelVersion["constituents"][number]
export type NewVersion = Schemas["NewModelVersion"]
export type TrackRecord = Schemas["TrackRecordShown"]
export type TrackPoint = Schemas["TrackPoint"]
export type CompositeMonth = Schemas["CompositeRow"]
export type Audience = Schemas["Audience"]
export type Subscriber = Schemas["SubscriberRow"]
export type Candidate = Schemas["CandidateRow"]
