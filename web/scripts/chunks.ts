import type { Rolldown } from "vite"

type Context = Pick<Rolldown.ChunkingContext, "getModuleInfo">

/** A screen behind the sign-in, and the frame around all of them. */
const HOME = /\/src\/routes\/home\//
const FRAME = /\/src\/routes\/home\/route\.tsx/
const SCREEN = /\/src\/routes\//
const LIBRARY = /\/node_modules\//

/** Libraries that check forms: many screens have forms, but those that are looked at first do not. */
const FORM_LIBRARIES = /node_modules\/(zod|@mantine\/form|klona)\//

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
function isOutside(id: string, context: Context): boolean {
  const screens = screensOf(id, context)
  return screens.length > 1 && screens.some((screen) => !HOME.test(screen))
}

/** Whether the frame or many screens behind the sign-in need the module. */
function isShared(id: string, context: Context): boolean {
  const screens = screensOf(id, context)
  // A small module of a library would bring the large ones along that it needs.
  const isSmall =
    !LIBRARY.test(id) && (context.getModuleInfo(id)?.code?.length ?? 0) <= SMALL_MODULE
  const many = isSmall ? FEW_SCREENS : MANY_SCREENS
  return screens.length >= many || screens.some((screen) => FRAME.test(screen))
}

/** Whether the module checks forms, and so brings these libraries along. */
function checksForms(id: string, context: Context): boolean {
  const imported = context.getModuleInfo(id)?.importedIds ?? []
  return [id, ...imported].some((each) => FORM_LIBRARIES.test(each))
}

/**
 * How the build lays modules together. A hundred small files wait for each other on a phone's line: what the first
 * page needs is one file; what screens on both sides of the sign-in share is another; the rest of what those around
 * the sign-in share, with the libraries of forms, is a third; and what those behind it share is a fourth. Small modules
 * go with the fourth: a file of its own costs a phone more than the few bytes that another screen does not need.
 */
export const groups = [
  { name: "start", tags: ["$initial" as const], priority: 4 },
  {
    debugName: "public",
    name: (id: string, context: Context) =>
      isOutside(id, context) && isShared(id, context) && !checksForms(id, context)
        ? "public"
        : null,
    // A group takes what its modules need along: this one comes before the one whose modules need it.
    priority: 3,
  },
  {
    debugName: "forms",
    name: (id: string, context: Context) =>
      FORM_LIBRARIES.test(id) || isOutside(id, context) ? "forms" : null,
    priority: 2,
  },
  {
    debugName: "home",
    name: (id: string, context: Context) => (isShared(id, context) ? "home" : null),
    priority: 1,
  },
]
