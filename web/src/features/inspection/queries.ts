import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, ApiError, dataOf } from "@/api/client"
import { fileOf } from "@/api/files"
import type { components } from "@/api/schema"
import type { NamedFile } from "@/lib/save-file"

export type Pack = components["schemas"]["PackRow"]
export type PackAsked = components["schemas"]["PackAsked"]
export type PackKind = components["schemas"]["PackKind"]

export interface PacksView {
  page: number
  limit: number
}

/** Milliseconds between two looks at a pack that is being made. */
const LOOK_EVERY = 1_000

/** The packs that were made, the newest first; looked at again while one is being made. */
export const packsQuery = ({ page, limit }: PacksView) =>
  queryOptions({
    queryKey: ["inspection-packs", { page, limit }],
    queryFn: () =>
      answerOf(api.GET("/admin/inspection-pack", { params: { query: { page, limit } } })),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.data.some((pack) => pack.state === "MAKING") ? LOOK_EVERY : false,
  })

export function useMakePack() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ body, key }: { body: PackAsked; key: string }) =>
      dataOf(api.POST("/admin/inspection-pack", { body, headers: { "Idempotency-Key": key } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["inspection-packs"] }),
  })
}

const PART = 8 * 2 ** 20
const TRIES = 5
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

/** The file of a pack, in parts: where the network fails, it goes on with the part that is missing. */
export async function packFile(
  pack: Pack,
  onProgress: (share: number) => void,
  partSize = PART,
): Promise<NamedFile> {
  const parts: Blob[] = []
  let name = ""
  for (let start = 0; start < pack.size; start += partSize) {
    const part = await partOf(pack, start, Math.min(start + partSize, pack.size) - 1)
    parts.push(part.content)
    name = part.name
    onProgress(Math.min(1, (start + partSize) / pack.size))
  }
  return { content: new Blob(parts, { type: "application/zip" }), name }
}

/** The network, or a server that is busy or has been asked too often. */
const isPassing = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.isNetwork || error.status === 429 || error.status === 503)

async function partOf(pack: Pack, first: number, last: number): Promise<NamedFile> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fileOf(
        api.GET("/admin/inspection-pack/{pack_id}/file", {
          params: { path: { pack_id: pack._id } },
          headers: { Range: `bytes=${first}-${last}` },
          parseAs: "blob",
        }),
      )
    } catch (error) {
      if (!isPassing(error) || attempt === TRIES) throw error
      await pause((error.retryAfter ?? attempt) * LOOK_EVERY)
    }
  }
}
