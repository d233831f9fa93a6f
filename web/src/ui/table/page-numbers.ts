const ALL_UP_TO = 7

/** The page numbers to show, `null` for an ellipsis: all of up to seven, else the ends and the neighbours. */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  if (pages <= ALL_UP_TO) return Array.from({ length: pages }, (_, index) => index + 1)
  const near = [1, page - 1, page, page + 1, pages].filter((each) => each >= 1 && each <= pages)
  const shown = [...new Set(near)].sort((a, b) => a - b)
  return shown.flatMap((number, index) => {
    const gap = number - (shown[index - 1] ?? 0)
    // An ellipsis for a single page would be longer than the page.
    if (gap === 2) return [number - 1, number]
    return gap > 2 ? [null, number] : [number]
  })
}
