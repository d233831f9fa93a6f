// Lists the tests of the files that are named, as JSON: for each file its tests, with their titles from the
// outermost `describe` inwards as they are written, whether they run, and their source.
import { readFileSync } from "node:fs"
import ts from "typescript"

const TESTS = new Set(["test", "it"])
const GROUPS = new Set(["describe", "test.describe"])
const RESTS = new Set(["skip", "todo", "fixme", "skipIf", "runIf"])

/** `test.each(table)` as ["test", "each"]: the names that a call is made of. */
function namesOf(node) {
  if (ts.isIdentifier(node)) return [node.text]
  if (ts.isPropertyAccessExpression(node)) return [...namesOf(node.expression), node.name.text]
  if (ts.isCallExpression(node)) return namesOf(node.expression)
  if (ts.isTaggedTemplateExpression(node)) return namesOf(node.tag)
  return []
}

const titleOf = (node, file) =>
  node &&
  (ts.isStringLiteralLike(node)
    ? node.text
    : ts.isTemplateExpression(node)
      ? node.getText(file).slice(1, -1)
      : undefined)

function testsOf(path) {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true)
  const found = []
  const visit = (node, groups, isOff) => {
    if (ts.isCallExpression(node)) {
      const names = namesOf(node.expression)
      const title = titleOf(node.arguments[0], file)
      const rests = isOff || names.some((name) => RESTS.has(name))
      const isGroup = GROUPS.has(names.slice(0, names[0] === "test" ? 2 : 1).join("."))
      if (title !== undefined && isGroup) {
        for (const part of node.arguments) visit(part, [...groups, title], rests)
        return
      }
      if (title !== undefined && TESTS.has(names[0]) && node.arguments.length > 1) {
        found.push({ titles: [...groups, title], runs: !rests, source: node.getText(file) })
        return
      }
    }
    ts.forEachChild(node, (child) => visit(child, groups, isOff))
  }
  visit(file, [], false)
  return found
}

console.log(
  JSON.stringify(Object.fromEntries(process.argv.slice(2).map((path) => [path, testsOf(path)]))),
)
