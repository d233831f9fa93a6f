import { expect, test } from "vitest"
import { parseSync } from "vite"
import { exportsIn } from "./direct-imports.ts"

const statements = (code: string) =>
  parseSync("entry.mjs", code).program.body as Parameters<typeof exportsIn>[0]

test("a name that an entry file imports and exports is found in its own module", () => {
  const entry = `import { Box } from "./core/Box.mjs"
    import Styles from "./Styles.mjs"
    export { Box, Styles as CardStyles }`

  const exported = exportsIn(statements(entry), "/packages/core/index.mjs")

  expect(exported.get("Box")).toEqual({ file: "/packages/core/core/Box.mjs", name: "Box" })
  expect(exported.get("CardStyles")).toEqual({
    file: "/packages/core/Styles.mjs",
    name: "default",
  })
})

test("a name that an entry file passes on is found under each of its names", () => {
  const entry = `export { default as Scale, default as ScaleIcon } from "./icons/scale.mjs"`

  const exported = exportsIn(statements(entry), "/packages/icons/index.mjs")

  for (const name of ["Scale", "ScaleIcon"])
    expect(exported.get(name)).toEqual({ file: "/packages/icons/icons/scale.mjs", name: "default" })
})
