/** Not copied: text for screen readers, icons, buttons and checkboxes. */
const skipped =
  "svg, .sr-only, [hidden], button[aria-label], input[type='checkbox'], [data-part='menu']"

// A spreadsheet runs what is pasted like this; figures with their sign stay figures.
const formula = /^(?:[=@]|[+-](?![\d₹.]))/

function shownIn(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ""
  if (!(node instanceof Element) || node.matches(skipped)) return ""
  if (node instanceof HTMLSelectElement) return node.selectedOptions[0]?.textContent ?? ""
  if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) return node.value
  const inner = Array.from(node.childNodes, shownIn).join("")
  return ` ${inner} `
}

function textOf(cell: Element): string {
  const text = shownIn(cell).replace(/\s+/g, " ").trim()
  return formula.test(text) ? `'${text}` : text
}

const rowsOf = (part: HTMLTableSectionElement | null | undefined) =>
  Array.from(part?.rows ?? [])
    // Headings of groups and opened details are not rows of the table's columns.
    .filter((row) => row.dataset.part === undefined)
    .map((row) =>
      Array.from(row.cells)
        .filter((cell) => cell.dataset.part !== "menu")
        .map(textOf),
    )

/** A table as shown, tab separated, totals last, without the columns that only have buttons. */
export function tableText(table: HTMLTableElement): string {
  const heads = rowsOf(table.tHead)
  const body = Array.from(table.tBodies).flatMap(rowsOf)
  const hasText = (heads[0] ?? []).map((_, column) => body.some((row) => row[column] !== ""))
  return [...heads, ...body, ...rowsOf(table.tFoot)]
    .map((row) => row.filter((_, column) => hasText[column]).join("\t"))
    .join("\n")
}
