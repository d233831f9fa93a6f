import { colorsTuple, createTheme } from "@mantine/core"

/** Mantine's names mapped on ours; what they look like stands in tokens.css and mantine.css. */
export const theme = createTheme({
  fontFamily: "var(--font)",
  primaryColor: "brand",
  colors: { brand: colorsTuple("var(--brand)"), loss: colorsTuple("var(--loss)") },
  defaultRadius: "md",
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    // What opens over the screen stands in a landmark of its own, and a menu holds nothing but its entries.
    Portal: { defaultProps: { target: "#overlays" } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Label above, hint below.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
    },
  },
})
