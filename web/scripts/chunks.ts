import type { Rolldown } from "vite"

type Context = Pick<Rolldown.ChunkingContext, "getModuleInfo">

/** A screen behind the sign-in, and the frame around all of them. */
const HOME = /\/src\/routes\/home\//
const FRAME = /\/src\/routes\/home\/route\.tsx/
const SCREEN = /\/src\/routes\//

/** So many screens behind the sign-in share what is in their common file. */
const MANY_SCREENS = 10

/** A module no longer than this, in characters, is in the common file when a few screens share it. */
const SMALL_MODULE = 1_500
const FEW_SCREENS = 4

/** The screens that need a module at once, not only when something is opened. */
function screensOf(id: string, context: Context): string[] {
  const users = new Set([id])
  for (const user of users)
    for (const importer of context.getModuleInfo(user)?.importers ?? []) users.add(importer)
  return [...users].filter((user) => SCREEN.test(user))
}

/** Whether a screen outside the sign-in needs the module, and another screen too. */
function isPublic(id: string, context: Context): boolean {
  const screens = screensOf(id, context)
  const outside = screens.filter((screen) => !HOME.test(screen)).length
  return outside > 0 && screens.length > 1
}

/** Whether the frame or many screens behind the sign-in need the module. */
function isShared(id: string, context: Context): boolean {
  const screens = screensOf(id, context)
  const isSmall = (context.getModuleInfo(id)?.code?.length ?? 0) <= SMALL_MODULE
  const many = isSmall ? FEW_SCREENS : MANY_SCREENS
  return screens.length >= many || screens.some((screen) => FRAME.test(screen))
}

/**
 * How the build lays modules together. A hundred small files wait for each other on a phone's line: what the first
 * page needs is one file, what the screens around the sign-in share is another, and what those behind it share is a
 * third, so that the sign-in does not carry the rest. Small modules go with the third: a file of its own costs a phone
 * more than the few bytes that another screen does not need.
 */
export const groups = [
  { name: "start", tags: ["$initial" as const], priority: 3 },
  {
    debugName: "public",
    name: (id: string, context: Context) => (isPublic(id, context) ? "public" : null),
    priority: 2,
  },
  {
    debugName: "home",
    name: (id: string, context: Context) => (isShared(id, context) ? "home" : null),
    priority: 1,
  },
]
