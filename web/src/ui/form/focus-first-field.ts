/**
 * A ref for the element around a screen's fields: the first empty one gets the focus when the screen opens. Not on a
 * touch screen, where the keyboard would cover half of what one came to see, and not from a field that has it already.
 */
export function focusFirstField(place: HTMLElement | null) {
  if (!place || !window.matchMedia("(hover: hover)").matches) return
  if (document.querySelector("[role='dialog'], [role='alertdialog']")) return
  if (place.contains(document.activeElement)) return
  const fields = [...place.querySelectorAll<HTMLInputElement>("input:enabled:not([readonly])")]
  const first = fields.find((field) => field.value === "") ?? fields[0]
  first?.focus({ preventScroll: true })
}
