import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Manifest, Plugin, Rolldown } from "vite"
import { browserBuild } from "./browser-build.ts"

const MANIFEST = ".vite/manifest.json"
const ENTRY = "index.html"
const SCREEN = /^src\/routes\/(.+)\.tsx\?tsr-split=component$/

/**
 * Writes what each address loads to `.vite/screens.json`: the server names these files with the page, so that a
 * browser fetches a screen's code beside the page's own, and not after it.
 */
export function screens(): Plugin {
  return {
    name: "tarazu-screens",
    apply: browserBuild,
    async writeBundle(options, bundle) {
      const place = join(options.dir ?? "dist", ".vite/screens.json")
      await writeFile(place, JSON.stringify(filesOfScreens(manifestIn(bundle))))
    },
  }
}

export function manifestIn(bundle: Rolldown.OutputBundle): Manifest {
  const written = bundle[MANIFEST]
  if (written?.type !== "asset") throw new Error(`${MANIFEST} is not in the build`)
  return JSON.parse(String(written.source)) as Manifest
}

/**
 * The files of each screen by its address, the page's own first: they are what everything waits for. A screen with
 * a variable part has no single address, and is left out.
 */
export function filesOfScreens(manifest: Manifest): Record<string, string[]> {
  const names = Object.keys(manifest).flatMap((key) => SCREEN.exec(key)?.[1] ?? [])
  return Object.fromEntries(
    names
      .filter((name) => !name.includes("$"))
      .map((name) => {
        const keys = [ENTRY, ...[...layoutsOf(name, names), name].map(keyOf)]
        return [addressOf(name), [...filesOf(manifest, keys)]]
      }),
  )
}

const keyOf = (name: string) => `src/routes/${name}.tsx?tsr-split=component`

/** `home/client/_tabs/fees` is at `/home/client/fees`, and `home/models/index` at `/home/models`. */
const addressOf = (name: string) =>
  `/${name
    .split(/[/.]/)
    .filter((part) => !part.startsWith("_") && part !== "index" && part !== "route")
    .join("/")}`

/** The layouts that stand around a screen, the outermost first. */
function layoutsOf(name: string, names: string[]) {
  const parts = name.split("/")
  const folders = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/"))
  return folders
    .flatMap((folder) => [`${folder}/route`, folder])
    .filter((layout) => layout !== name && names.includes(layout))
}

/** Scripts and styles of these parts of the build and of all that they import at once. */
function filesOf(manifest: Manifest, keys: string[]) {
  const parts = new Set(keys)
  const files = new Set<string>()
  for (const part of parts) {
    const { file, css = [], imports = [] } = manifest[part] ?? {}
    for (const one of imports) parts.add(one)
    for (const one of [file, ...css]) if (one) files.add(one)
  }
  return files
}
