import * as z from "zod/mini"

const email = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, { error: "Email is required", abort: true }),
    z.email("Enter a valid email"),
  )

export const credentials = z.object({
  email,
  password: z.string().check(z.minLength(1, "Password is required")),
  /** Asked for once the server wants it. */
  totpCode: z.string().check(z.trim()),
})

export const account = z.object({ email })

const chosen = z
  .string()
  .check(
    z.minLength(1, { error: "Password is required", abort: true }),
    z.minLength(8, "Password must be at least 8 characters"),
    z.maxLength(128, "Password must be at most 128 characters"),
  )
const special = /[^\p{L}\p{N}]/u

/** The hint about a special character on the checklist is not enforced here. */
export const registration = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Name is required")),
  email,
  password: chosen,
  /** Asked for at the first sign-up of an installation that has one. */
  setupCode: z.string().check(z.trim()),
})

/** A reset enforces what sign-up only hints at. */
export const newPassword = z
  .object({
    /** Asked for once the server wants it. */
    currentPassword: z.string(),
    password: chosen.check(
      z.regex(special, "Password must contain at least one special character"),
    ),
    confirmPassword: z.string().check(z.minLength(1, "Confirm Password is required")),
  })
  .check(
    z.refine((draft) => draft.password === draft.confirmPassword, {
      path: ["confirmPassword"],
      error: "Passwords must match",
    }),
  )

/** What the checklist under a new password says, and whether the password has it. */
export const passwordChecks = (password: string) => [
  { text: "at least 8 characters", isMet: password.length >= 8 },
  { text: "at least one special character", isMet: special.test(password) },
]
