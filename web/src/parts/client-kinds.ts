/** What a client is in law, in words. */
export const clientKinds = {
  INDIVIDUAL: "Individual",
  HUF: "Hindu undivided family (HUF)",
  OTHER: "Other",
}
