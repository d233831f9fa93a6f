// Says how much JavaScript a browser fetches for the first look at a route: what `scripts/screens.ts` wrote for its
// address, and what it fetches automatically soon after, as compressed by the build. `--json` prints JSON alone; a route
// over its limit makes the exit code 1.
import { readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const built = join(dirname(fileURLToPath(import.meta.url)), "../../server/src/tarazu/web")
const routes = {
  "/auth/login": { limit: 200 },
  "/auth/signup": { limit: 200 },
  "/home/dashboard": { limit: 300, after: ["src/ui/chart/time-series-plot.tsx"] },
  "/home/client/details": { limit: 300 },
  "/home/advice": { limit: 300 },
}

const read = async (name) => JSON.parse(await readFile(join(built, ".vite", name), "utf8"))
const [screens, manifest] = await Promise.all([read("screens.json"), read("manifest.json")])

const kilobytes = async (files, ending) => {
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(built, file + ending))).size),
  )
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 100) / 10
}

const report = []
for (const [route, { limit, after = [] }] of Object.entries(routes)) {
  const files = screens[route]
  if (!files) throw new Error(`${route}: not in the build`)
  const scripts = [
    ...files.filter((file) => file.endsWith(".js")),
    ...after.map((key) => manifest[key].file),
  ]
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
