import { screen, within } from "@testing-library/react"

const textsOf = (elements: HTMLElement[]) => elements.map((element) => element.textContent)

/** The headings of the columns of a table: `Date | Amount`. */
export const headings = async (table: { findAllByRole: typeof screen.findAllByRole } = screen) =>
  textsOf(await table.findAllByRole("columnheader")).join(" | ")

/** The texts of the cells of a row: `INFY | 40`. */
export const cellsOf = (row: HTMLElement) => textsOf(within(row).getAllByRole("cell")).join(" | ")

/** The rows of the only table, without its headings. */
export const dataRows = () => within(screen.getByRole("table")).getAllByRole("row").slice(1)

export const rowTexts = () => textsOf(dataRows())

/** The sizes of a page on offer: `10, 20, 50`. */
export const pageSizes = async (
  place: { findByLabelText: typeof screen.findByLabelText } = screen,
) =>
  textsOf(within(await place.findByLabelText("Rows on a page")).getAllByRole("option")).join(", ")
