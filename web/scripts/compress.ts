import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { Plugin } from "vite"
import { browserBuild } from "./browser-build.ts"

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const worthwhile = /\.(js|css|html|svg|json|txt)$/

/**
 * Lays a `.br` and a `.gz` beside every text file of the build, so that the server answers from the
 * disk and never compresses a file twice.
 */
export function compress(): Plugin {
  return {
    name: "tarazu-compress",
    apply: browserBuild,
    async writeBundle(options, bundle) {
      const folder = options.dir ?? "dist"
      const files = Object.keys(bundle).filter((name) => worthwhile.test(name))
      await Promise.all(files.map((name) => compressFile(join(folder, name))))
    },
  }
}

async function compressFile(path: string) {
  const content = await readFile(path)
  const [small, smaller] = await Promise.all([
    zip(content, { level: 9 }),
    brotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  ])
  await Promise.all([writeFile(`${path}.gz`, small), writeFile(`${path}.br`, smaller)])
}
