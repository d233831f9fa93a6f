// Says how much JavaScript a browser fetches for the first look at a route: what `scripts/screens.ts` wrote for its
// address, as compressed by the build; what comes after the first picture (charts, menus, dialogs) is not counted. `--json` prints JSON alone; a route
// over its limit makes the exit code 1.
import { readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const built = join(dirname(fileURLToPath(import.meta.url)), "../../server/src/tarazu/web")
const routes = {
  "/auth/login": { limit: 155 },
  "/auth/signup": { limit: 155 },
  "/home/dashboard": { limit: 180 },
  "/home/client/details": { limit: 200 },
  "/home/readiness": { limit: 200 },
  "/home/fees": { limit: 180 },
  "/home/client/portfolio": { limit: 205 },
  "/home/advice": { limit: 205 },
}

const read = async (name) => JSON.parse(await readFile(join(built, ".vite", name), "utf8"))
const screens = await read("screens.json")

const kilobytes = async (files, ending) => {
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(built, file + ending))).size),
  )
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 100) / 10
}

const report = []
for (const [route, { limit }] of Object.entries(routes)) {
  const files = screens[route]
  if (!files) throw new Error(`${route}: not in the build`)
  const scripts = files.filter((file) => file.endsWith(".js"))
  const brotli = await kilobytes(scripts, ".br")
  const gzip = await kilobytes(scripts, ".gz")
  report.push({ route, files: scripts.length, brotli, gzip, limit, isWithin: brotli <= limit })
}

if (process.argv.includes("--json")) console.log(JSON.stringify(report, null, 2))
else {
  console.table(report)
  console.log(JSON.stringify(report))
}
if (report.some(({ isWithin }) => !isWithin)) process.exitCode = 1
