import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Plugin } from "vite"
import { browserBuild } from "./browser-build.ts"

/** Packages whose one entry file exports every module of the package. */
const ENTRIES = ["@mantine/core", "@mantine/hooks", "lucide-react"]
const FROM_ENTRY = new RegExp(`from\\s*["'](?:${ENTRIES.join("|")})["']`)

interface Exported {
  /** The module's file. */
  file: string
  /** Its name there. */
  name: string
}

interface Specifier {
  imported?: { name: string }
  local: { name: string }
  exported?: { name: string }
}
interface Statement {
  type: string
  start: number
  end: number
  source?: { value: string } | null
  specifiers?: Specifier[]
}

/**
 * Imports each component, hook and icon from its own module instead of from the package's entry file. Which screens
 * need a module can then be seen: through the entry file, every module seems to be needed wherever one is.
 */
export function directImports(): Plugin {
  const exportsOf = new Map<string, Promise<Map<string, Exported>>>()
  return {
    name: "tarazu-direct-imports",
    apply: browserBuild,
    enforce: "post",
    transform: {
      filter: { code: FROM_ENTRY },
      async handler(code, id) {
        const statements = bodyOf(this.parse(code))
        let direct = code
        for (const { type, source, specifiers = [], start, end } of statements.toReversed()) {
          const entry = source?.value ?? ""
          if (type !== "ImportDeclaration" || !ENTRIES.includes(entry)) continue
          const place = await this.resolve(entry, id)
          if (!place) throw new Error(`${entry} is not installed`)
          const read = async () =>
            exportsIn(bodyOf(this.parse(await readFile(place.id, "utf8"))), place.id)
          const known = await (exportsOf.get(place.id) ?? remember(exportsOf, place.id, read()))
          direct = direct.slice(0, start) + rewritten(specifiers, known, entry) + direct.slice(end)
        }
        return { code: direct, map: null }
      },
    },
  }
}

const bodyOf = (program: unknown) => (program as { body: Statement[] }).body

function remember<Value>(known: Map<string, Value>, key: string, value: Value) {
  known.set(key, value)
  return value
}

/** What an entry file exports, by name. */
export function exportsIn(statements: Statement[], entry: string): Map<string, Exported> {
  const imported = new Map<string, Exported>()
  const exported = new Map<string, Exported>()
  for (const { type, source, specifiers = [] } of statements) {
    const file = source ? join(dirname(entry), source.value) : null
    for (const { imported: theirs, local, exported: ours } of specifiers) {
      if (type === "ImportDeclaration" && file)
        imported.set(local.name, { file, name: theirs?.name ?? "default" })
      else if (ours && file) exported.set(ours.name, { file, name: local.name })
      else if (ours) {
        const from = imported.get(local.name)
        if (from) exported.set(ours.name, from)
      }
    }
  }
  return exported
}

/** One import statement a name; a name that the entry file makes itself still comes from there. */
const rewritten = (specifiers: Specifier[], known: Map<string, Exported>, entry: string) =>
  specifiers
    .map(({ imported, local }) => {
      const { file, name } = known.get(imported?.name ?? "") ?? {
        file: entry,
        name: imported?.name ?? "default",
      }
      return `import { ${name} as ${local.name} } from ${JSON.stringify(file)}`
    })
    .join(";")
