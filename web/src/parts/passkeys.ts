import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser"
import { queryOptions } from "@tanstack/react-query"
import { api, dataOf } from "@/api/client"

/** What the log-in page offers beside the password. */
export const signInWaysQuery = queryOptions({
  queryKey: ["sign-in"],
  queryFn: () => dataOf(api.GET("/auth/sign-in")),
  staleTime: Infinity,
})

/** The server's options, in the JSON form of the WebAuthn standard. */
type Options = Record<string, unknown>
/** What the server takes back, in the same form. */
type Credential = Record<string, unknown>

/** The person turned away from the browser's dialog, or it found nothing. */
export class PasskeyUnused extends Error {
  override name = "PasskeyUnused"
}

const asCredential = (made: AuthenticationResponseJSON | RegistrationResponseJSON): Credential => ({
  ...made,
})

/** Has the browser make a passkey. Throws `PasskeyUnused`. */
export async function createPasskey(options: Options): Promise<Credential> {
  const { startRegistration } = await import("@simplewebauthn/browser")
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  try {
    return asCredential(await startRegistration({ optionsJSON }))
  } catch (error) {
    const isKnown = error instanceof Error && error.name === "InvalidStateError"
    throw new PasskeyUnused(
      isKnown ? "This device already has a passkey for your account." : "No passkey was added.",
      { cause: error },
    )
  }
}

/** Has the browser use a passkey. Throws `PasskeyUnused`. */
export async function askPasskey(options: Options): Promise<Credential> {
  const { startAuthentication } = await import("@simplewebauthn/browser")
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  try {
    return asCredential(await startAuthentication({ optionsJSON }))
  } catch (error) {
    throw new PasskeyUnused("No passkey was used. Try again, or use your password.", {
      cause: error,
    })
  }
}

/** The text of what went wrong with a passkey. */
export const isPasskeyUnused = (error: unknown): error is PasskeyUnused =>
  error instanceof PasskeyUnused
