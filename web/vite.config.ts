import { fileURLToPath } from "node:url"
import { tanstackRouter } from "@tanstack/router-plugin/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vitest/config"
import { groups } from "./scripts/chunks.ts"
import { compress } from "./scripts/compress.ts"
import { directImports } from "./scripts/direct-imports.ts"
import { prerender } from "./scripts/prerender.ts"
import { screens } from "./scripts/screens.ts"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const server = process.env.TARAZU_SERVER ?? "http://127.0.0.1:8000"
const proxy = {
  "/api": { target: server },
  // The client's page is written by the server.
  "/a/": { target: server },
  "/socket.io": { target: server, ws: true },
}

export default defineConfig({
  // The Router's plugin writes the route tree, so it stands before React's.
  plugins: [
    tanstackRouter({ target: "react", autoCodeSplitting: true, quoteStyle: "double" }),
    react(),
    directImports(),
    compress(),
    screens(),
    prerender(),
  ],
  resolve: { alias: { "@": path("./src"), "@docs": path("../docs") } },
  build: {
    outDir: "../server/src/tarazu/web",
    emptyOutDir: true,
    manifest: true,
    target: "es2023",
    chunkSizeWarningLimit: 500,
    // Every file is fetched from its own address: the content security policy knows no data: fonts.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  // The help links to the operations guide, which is outside this folder.
  server: { port: 5173, proxy, fs: { allow: [".."] } },
  preview: { port: 4173, proxy },
  test: {
    environment: "jsdom",
    // Test files of one worker share its modules and its page, which saves most of their time. What a test leaves
    // behind is therefore cleared in the setup file, and no test file mocks modules of its own.
    isolate: false,
    // Every core; by default one is left idle, which on two is half of them.
    maxWorkers: "100%",
    // What is outside or paints, faked in every test alike.
    alias: {
      "socket.io-client": path("./src/testing/fake-socket.ts"),
      "lightweight-charts": path("./src/testing/fake-charts.ts"),
    },
    setupFiles: ["src/testing/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
    css: false,
    restoreMocks: true,
    testTimeout: 60_000,
  },
})
