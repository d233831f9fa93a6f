import { expect, it } from "vitest"
import { pageOf } from "./prerender.ts"

const index =
  '<head><link rel="stylesheet" crossorigin href="/assets/start.css"></head>' +
  '<body><div id="root"></div></body>'

it("has the screen's HTML and styles in the page, and the links of its style sheets switched off", () => {
  const page = pageOf(index, "<h1>Costs $1</h1>", [{ name: "assets/start.css", css: "h1{}" }])

  expect(page).toBe(
    '<head><style>h1{}</style><link rel="stylesheet" href="/assets/start.css" disabled></head>' +
      '<body><div id="root"><h1>Costs $1</h1></div></body>',
  )
})

it("refuses what needs an inline script", () => {
  expect(() => pageOf(index, "<script>0</script>", [])).toThrow("inline scripts")
})
