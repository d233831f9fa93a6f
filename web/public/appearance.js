// Runs before the first paint, so that a dark screen does not flash white. src/ui/appearance.ts takes over.
;(function () {
  var chosen = {}
  try {
    chosen = JSON.parse(localStorage.getItem("tarazu.appearance") || "{}") || {}
  } catch {
    // Storage is closed to us or holds something else: follow the system.
  }
  var dark = chosen.scheme === "dark"
  if (chosen.scheme !== "light" && !dark) {
    dark = matchMedia("(prefers-color-scheme: dark)").matches
  }
  var root = document.documentElement
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light")
  if (chosen.palette === "blue-orange") root.setAttribute("data-palette", "blue-orange")
})()
