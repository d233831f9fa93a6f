let width = 1440

/** Makes `matchMedia` answer for a screen so wide: 390 is a phone, 1440 a desk. Before the first drawing. */
export function setScreenWidth(pixels: number) {
  width = pixels
  window.matchMedia = (query) =>
    ({
      matches: Number(/max-width: (\d+)px/.exec(query)?.[1] ?? -1) >= width,
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      addListener: () => undefined,
      removeListener: () => undefined,
    }) as unknown as MediaQueryList
}
