import { useQuery } from "@tanstack/react-query"
import { messageOf } from "@/api/client"
import { firmQuery } from "@/api/shared-queries"
import { useSendTestMail } from "@/parts/use-send-test-mail"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { ErrorNote, Loading } from "@/ui/states"
import { toast } from "@/ui/overlay/toast"
import styles from "./settings.module.css"

const words = {
  NOT_SET_UP:
    "No mail server is set up. Letters are only written to the outbox folder and do not reach clients. Set TARAZU_SMTP_URL and restart Tarazu.",
  NOT_TESTED: "A mail server is set up, but no test mail has been delivered yet.",
  TESTED: "A test mail was delivered by the mail server.",
}

/** The state of the mail server, and a test mail to the signed-in person. */
export default function MailSettings() {
  const firm = useQuery(firmQuery)
  const test = useSendTestMail()
  if (firm.isError && !firm.data)
    return <ErrorNote message="Failed to fetch data" onRetry={firm.refetch} />
  if (!firm.data) return <Loading />
  const send = () =>
    test.mutate(undefined, {
      onSuccess: (message) => toast.success(message),
    })
  return (
    <Screen>
      <Card title="Mail">
        <div className={styles.questions}>
          <p className={styles.hint}>{words[firm.data.mail]}</p>
          {test.isError && (
            <p className={styles.fault} role="alert">
              {messageOf(test.error, "Something went wrong")}
            </p>
          )}
          <div>
            <Button
              kind="primary"
              isBusy={test.isPending}
              disabled={firm.data.mail === "NOT_SET_UP"}
              onClick={send}
            >
              Send a test mail
            </Button>
          </div>
        </div>
      </Card>
    </Screen>
  )
}
