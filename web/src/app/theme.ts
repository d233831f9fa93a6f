import { colorsTuple, createTheme } from "@mantine/core"

/** Mantine's names mapped on ours; their values are in tokens.css and mantine.css. */
export const theme = createTheme({
  fontFamily: "var(--font)",
  primaryColor: "brand",
  colors: { brand: colorsTuple("var(--brand)"), loss: colorsTuple("var(--loss)") },
  defaultRadius: "md",
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    // Overlays render in their own landmark, and a menu contains only its entries.
    Portal: { defaultProps: { target: "#overlays" } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Label above, hint below.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
    },
  },
})
