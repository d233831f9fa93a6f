import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build, type Plugin, type Rolldown } from "vite"
import { browserBuild } from "./browser-build.ts"
import { filesOfScreens, manifestIn } from "./screens.ts"

type Bundle = Rolldown.OutputBundle

/** What `src/app/prerender.tsx` exports. */
interface Prerenderer {
  paths: string[]
  htmlOf: (path: string) => Promise<string>
}

/** A style sheet of the build: its name there, and its content. */
export interface StyleSheet {
  name: string
  css: string
}

const INDEX = "index.html"
const EMPTY_ROOT = '<div id="root"></div>'
const STYLESHEETS = /\s*<link rel="stylesheet"[^>]*>/g

/**
 * Writes a page of its own for each public screen that opens first: `auth/login.html` for `/auth/login`. The screen's
 * HTML and styles are in it, so that nothing else has to be fetched before the screen is seen.
 */
export function prerender(): Plugin {
  return {
    name: "tarazu-prerender",
    apply: browserBuild,
    generateBundle: {
      order: "post",
      async handler(_, bundle) {
        const screens = filesOfScreens(manifestIn(bundle))
        const pages = await htmlOfPages()
        for (const [path, html] of Object.entries(pages)) {
          const names = (screens[path] ?? []).filter((name) => name.endsWith(".css"))
          const sheets = names.map((name) => ({ name, css: textOf(bundle, name) }))
          const source = pageOf(textOf(bundle, INDEX), html, sheets)
          this.emitFile({ type: "asset", fileName: `${path.slice(1)}.html`, source })
        }
      },
    },
  }
}

/** Builds the client for Node, and renders each public screen with it. */
async function htmlOfPages(): Promise<Record<string, string>> {
  // Below `node_modules`, where the packages are found that the build leaves outside.
  const folder = await mkdtemp(join(import.meta.dirname, "../node_modules/.prerender-"))
  try {
    await build({
      logLevel: "error",
      build: {
        ssr: "src/app/prerender.tsx",
        outDir: folder,
        copyPublicDir: false,
        manifest: false,
      },
    })
    const { paths, htmlOf } = (await import(
      pathToFileURL(join(folder, "prerender.js")).href
    )) as Prerenderer
    const pages = await Promise.all(paths.map(async (path) => [path, await htmlOf(path)] as const))
    return Object.fromEntries(pages)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function textOf(bundle: Bundle, name: string): string {
  const file = bundle[name]
  if (file?.type !== "asset") throw new Error(`${name} is not in the build`)
  return typeof file.source === "string" ? file.source : new TextDecoder().decode(file.source)
}

/**
 * The index with the screen in its root and the style sheets in the page. Their links stay, switched off: the build's
 * loader then knows that these styles are there.
 */
export function pageOf(index: string, html: string, sheets: StyleSheet[]): string {
  if (/<script/.test(html)) throw new Error("The content security policy forbids inline scripts.")
  const styles = sheets.map(
    ({ name, css }) => `<style>${css}</style><link rel="stylesheet" href="/${name}" disabled>`,
  )
  return index
    .replaceAll(STYLESHEETS, "")
    .replace("</head>", () => `${styles.join("")}</head>`)
    .replace(EMPTY_ROOT, () => EMPTY_ROOT.replace("><", () => `>${html}<`))
}
