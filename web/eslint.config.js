import js from "@eslint/js"
import query from "@tanstack/eslint-plugin-query"
import a11y from "eslint-plugin-jsx-a11y-x"
import hooks from "eslint-plugin-react-hooks"
import globals from "globals"
import typescript from "typescript-eslint"

/** Bans imports by pattern; `@/testing` is for tests alone, everywhere. */
const bans = (...groups) => [
  "error",
  {
    patterns: [
      ...groups,
      { group: ["lightweight-charts"], message: "Only ui/time-series-plot.tsx draws time series." },
      { group: ["socket.io-client"], message: "Only live/socket.ts opens the socket." },
    ],
  },
]
const upward = (names, why) => ({
  group: names.flatMap((name) => [`@/${name}`, `@/${name}/*`, `@/${name}/**`]),
  message: why,
})
const climbing = { group: ["../*"], message: "Inside a folder start with ./, elsewhere with @/." }

const noDanger = [
  {
    selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
    message: "Raw HTML is an open door for scripts.",
  },
  {
    selector: "AssignmentExpression > MemberExpression[property.name=/^(innerHTML|outerHTML)$/]",
    message: "Raw HTML is an open door for scripts.",
  },
  {
    selector: "CallExpression[callee.property.name=/^(insertAdjacentHTML|write|writeln)$/]",
    message: "Raw HTML is an open door for scripts.",
  },
  { selector: "Literal[value=/^\\s*javascript:/i]", message: "No javascript: addresses." },
  {
    selector: "CallExpression[callee.property.name='toFixed']",
    message: "Numbers are formatted by lib/format.ts alone.",
  },
]
const noFetch = [
  { name: "fetch", message: "Only api/client.ts calls fetch." },
  { name: "XMLHttpRequest", message: "Only api/client.ts calls the server." },
  { name: "EventSource", message: "Only live/socket.ts listens to the server." },
  { name: "WebSocket", message: "Only live/socket.ts listens to the server." },
]

export default typescript.config(
  {
    ignores: ["src/routeTree.gen.ts", "src/api/schema.d.ts", "test-results", "playwright-report"],
  },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [...typescript.configs.strictTypeChecked, ...query.configs["flat/recommended"]],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { "react-hooks": hooks, "jsx-a11y-x": a11y },
    rules: {
      ...hooks.configs.recommended.rules,
      ...a11y.configs.recommended.rules,
      "max-lines": ["error", { max: 250 }],
      "no-restricted-syntax": ["error", ...noDanger],
      "no-restricted-globals": ["error", ...noFetch],
      "no-eval": "error",
      "no-new-func": "error",
      "no-script-url": "error",
      "@typescript-eslint/no-implied-eval": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      "@typescript-eslint/no-misused-promises": [
        "error",
        { checksVoidReturn: { attributes: false, properties: false } },
      ],
      // The Router ends a guard by throwing its redirect.
      "@typescript-eslint/only-throw-error": [
        "error",
        { allow: ["Redirect", "NotFoundError"], allowThrowingUnknown: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-restricted-imports": bans(climbing),
    },
  },
  {
    files: ["src/features/**"],
    rules: {
      "no-restricted-imports": bans(
        climbing,
        upward(["app", "routes"], "A feature does not know the app that holds it."),
        upward(["features"], "A feature never imports a feature: they meet in app/."),
      ),
    },
  },
  {
    files: ["src/live/**"],
    rules: {
      "no-restricted-imports": bans(
        climbing,
        upward(["app", "routes", "features", "parts", "ui"], "live/ may use api/ and lib/ only."),
      ),
    },
  },
  {
    files: ["src/api/**"],
    rules: {
      "no-restricted-imports": bans(
        climbing,
        upward(["app", "routes", "features", "parts", "ui", "live"], "api/ may use lib/ only."),
      ),
    },
  },
  {
    files: ["src/parts/**"],
    rules: {
      "no-restricted-imports": bans(
        climbing,
        upward(["app", "routes", "features"], "parts/ may use ui/, live/, api/ and lib/ only."),
      ),
    },
  },
  {
    files: ["src/ui/**"],
    rules: {
      "no-restricted-imports": bans(
        climbing,
        upward(["app", "routes", "features", "parts", "api", "live"], "ui/ may use lib/ only."),
      ),
    },
  },
  {
    files: ["src/lib/**"],
    rules: {
      "no-restricted-imports": bans(climbing, {
        group: ["@/*", "@/**", "react", "react/*"],
        message: "lib/ is plain functions: it imports nothing of ours and no React.",
      }),
    },
  },
  {
    files: ["src/api/client.ts"],
    rules: { "no-restricted-globals": "off" },
  },
  {
    files: ["src/live/socket.ts", "src/ui/chart/time-series-plot.tsx"],
    rules: { "no-restricted-imports": ["error", { patterns: [climbing] }] },
  },
  {
    files: ["**/*.test.{ts,tsx}", "src/testing/**", "e2e/**"],
    rules: {
      "no-restricted-imports": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-floating-promises": ["error", { ignoreVoid: true }],
    },
  },
  {
    files: ["scripts/**", "*.config.ts"],
    languageOptions: { globals: globals.node },
  },
  {
    files: ["**/*.{js,mjs}"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
)
