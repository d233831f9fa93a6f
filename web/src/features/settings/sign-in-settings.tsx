import { Checkbox } from "@mantine/core"
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import * as z from "zod/mini"
import { answerOf, api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { Card, Screen } from "@/ui/card"
import { Field } from "@/ui/form/fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { toast } from "@/ui/overlay/toast"
import { ErrorNote, Loading } from "@/ui/states"
import { toastFailure } from "./queries"
import styles from "./settings.module.css"
import { UndoAndSave } from "@/ui/form/undo-and-save"

type SignInDetails = components["schemas"]["SignInDetails"]
type EditedSignIn = components["schemas"]["EditedSignIn"]

const signInSettingsQuery = queryOptions({
  queryKey: ["settings", "sign-in"],
  queryFn: () => dataOf(api.GET("/admin/settings/sign-in")),
})

const schema = z.object({
  stepUp: z.boolean(),
  stepUpMinutes: z
    .string()
    .check(z.trim(), z.regex(/^([1-9]|[1-5]\d|60)$/, "Enter 1 to 60 minutes")),
  userPasswords: z.boolean(),
})

function useSaveSignIn() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: EditedSignIn) => answerOf(api.PUT("/admin/settings/sign-in", { body })),
    onError: toastFailure,
    onSuccess: ({ data, message }) => {
      toast.success(message ?? "Saved.")
      cache.setQueryData(signInSettingsQuery.queryKey, data)
    },
  })
}

/** How staff of the firm sign in, and when they must confirm that it is still them. */
export default function SignInSettings() {
  const details = useQuery(signInSettingsQuery)
  if (details.isError && !details.data)
    return <ErrorNote message="Failed to fetch data" onRetry={details.refetch} />
  if (!details.data) return <Loading />
  return <SignInForm key={details.data.version} details={details.data} />
}

function SignInForm({ details }: { details: SignInDetails }) {
  const save = useSaveSignIn()
  const { ssoLabel, version } = details
  const form = useZodForm(
    schema,
    (draft) => save.mutateAsync({ ...draft, stepUpMinutes: Number(draft.stepUpMinutes), version }),
    {
      stepUp: details.stepUp,
      stepUpMinutes: String(details.stepUpMinutes),
      userPasswords: details.userPasswords,
    },
  )
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Screen>
        <Card
          title="Confirmation"
          note="So that a session left open, or stolen, exports nothing and changes no keys or roles."
        >
          <div className={styles.choices}>
            <Checkbox
              label="Confirm exports, broker keys and roles"
              description="Asks for the password (with the authenticator code, where it is on) or a passkey. A fresh log-in counts."
              size="sm"
              checked={form.values.stepUp}
              onChange={(event) => form.set({ stepUp: event.currentTarget.checked })}
            />
            <div className={styles.fields}>
              <Field
                label="A confirmation is good for (minutes)"
                inputMode="numeric"
                description="1 to 60. Changes on this screen and of passkeys need one in any case."
                {...form.field("stepUpMinutes")}
              />
            </div>
          </div>
        </Card>
        <Card
          title="Single sign-on"
          note={
            ssoLabel
              ? `Set up as “${ssoLabel}”. Staff with an account here sign in with its verified email address.`
              : "Not set up. It is set up on the server: see Sign-in in the operations guide."
          }
        >
          {ssoLabel && (
            <Checkbox
              label="A USER may also log in with a password"
              description="An ADMIN always may, so that nobody is locked out while the single sign-on is down."
              size="sm"
              checked={form.values.userPasswords}
              onChange={(event) => form.set({ userPasswords: event.currentTarget.checked })}
            />
          )}
        </Card>
      </Screen>
      <UndoAndSave form={form} />
    </form>
  )
}
