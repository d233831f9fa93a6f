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
})

/** The hint about a special character on the checklist is not enforced here. */
export const registration = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Name is required")),
  email,
  password: z
    .string()
    .check(
      z.minLength(1, { error: "Password is required", abort: true }),
      z.minLength(8, "Password must be at least 8 characters"),
      z.maxLength(128, "Password must be at most 128 characters"),
    ),
})

/** What the checklist under a new password says, and whether the password has it. */
export const passwordChecks = (password: string) => [
  { text: "at least 8 characters", isMet: password.length >= 8 },
  { text: "at least one special character", isMet: /[^\p{L}\p{N}]/u.test(password) },
]
