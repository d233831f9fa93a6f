import { expect, it } from "vitest"
import { filesOfScreens } from "./screens.ts"

const split = (name: string) => `src/routes/${name}.tsx?tsr-split=component`
const chunk = (name: string, imports: string[] = [], css: string[] = []) => ({
  file: `assets/${name}.js`,
  css: css.map((one) => `assets/${one}.css`),
  imports,
})

const manifest = {
  "index.html": chunk("start", ["_door.js"], ["start"]),
  "_door.js": chunk("door"),
  "_desk.js": chunk("desk", ["index.html"], ["desk"]),
  "_icon.js": chunk("icon", ["_desk.js"]),
  [split("home/route")]: chunk("layout", ["_desk.js"], ["layout"]),
  [split("home/client/_tabs")]: chunk("tabs", ["_icon.js"]),
  [split("home/client/_tabs/fees")]: chunk("fees", ["index.html"], ["fees"]),
  [split("home/models/index")]: chunk("models"),
  [split("home/models/$modelId/index")]: chunk("model"),
  [split("auth/forgot-password.index")]: chunk("forgot", ["_door.js"]),
  [split("auth/forgot-password.$token")]: chunk("token"),
}

it("names what a screen and the layouts around it load, after the page's own", () => {
  const found = filesOfScreens(manifest)

  const [script, style, ...others] = found["/home/client/fees"] ?? []
  expect([script, style]).toEqual(["assets/start.js", "assets/start.css"])
  expect(others.toSorted()).toEqual([
    "assets/desk.css",
    "assets/desk.js",
    "assets/door.js",
    "assets/fees.css",
    "assets/fees.js",
    "assets/icon.js",
    "assets/layout.css",
    "assets/layout.js",
    "assets/tabs.js",
  ])
  expect(found["/auth/forgot-password"]?.at(-1)).toBe("assets/door.js")
  expect(found["/auth/forgot-password"]).toContain("assets/forgot.js")
})

it("knows the address of each screen that has a single one", () => {
  expect(Object.keys(filesOfScreens(manifest)).toSorted()).toEqual([
    "/auth/forgot-password",
    "/home",
    "/home/client",
    "/home/client/fees",
    "/home/models",
  ])
})
