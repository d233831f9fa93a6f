import type { ConfigEnv } from "vite"

/** For a plugin's `apply`: only the build that browsers load, not the one that prerenders pages. */
export const browserBuild = (_: unknown, { command, isSsrBuild }: ConfigEnv) =>
  command === "build" && isSsrBuild !== true
