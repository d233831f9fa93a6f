// Says how much JavaScript a browser fetches for the first look at a route: the entry, the route's own chunks,
// and all that they import statically, as compressed by the build. `--json` prints JSON alone; a route over its
// limit makes the exit code 1.
import { readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const built = join(dirname(fileURLToPath(import.meta.url)), "../../server/src/tarazu/web")
const routes = {
  "/auth/login": { files: ["src/routes/auth/login.tsx"], limit: 200 },
  "/auth/signup": { files: ["src/routes/auth/signup.tsx"], limit: 200 },
  "/home/dashboard": {
    files: [
      "src/routes/home/route.tsx",
      "src/routes/home/dashboard.tsx",
      "src/ui/time-series-plot.tsx",
    ],
    limit: 300,
  },
  "/home/client/details": {
    files: ["src/routes/home/route.tsx", "src/routes/home/client/details.tsx"],
    limit: 300,
  },
  "/home/advice": {
    files: ["src/routes/home/route.tsx", "src/routes/home/advice.tsx"],
    limit: 300,
  },
}

const manifest = JSON.parse(await readFile(join(built, ".vite/manifest.json"), "utf8"))
const keysOf = (file) => Object.keys(manifest).filter((key) => key.split("?")[0] === file)

function withImports(keys) {
  const found = new Set()
  const follow = (key) => {
    if (found.has(key)) return
    found.add(key)
    for (const imported of manifest[key].imports ?? []) follow(imported)
  }
  keys.forEach(follow)
  return [...found].map((key) => manifest[key].file).filter((file) => file.endsWith(".js"))
}

const kilobytes = async (files, ending) => {
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(built, file + ending))).size),
  )
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 100) / 10
}

const entry = Object.keys(manifest).filter((key) => manifest[key].isEntry)
const report = []
for (const [route, { files, limit }] of Object.entries(routes)) {
  const keys = files.flatMap(keysOf)
  if (keys.length < files.length) throw new Error(`${route}: not in the build: ${files.join(", ")}`)
  const scripts = [...new Set(withImports([...entry, ...keys]))]
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
