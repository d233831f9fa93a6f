import { LogOut } from "lucide-react"
import { messageOf } from "@/api/client"
import { Button } from "@/ui/button"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import { useBrokerLogOut } from "./queries"

/** Ends the firm's session, after a confirmation: live prices may stop. */
export function LogOutButton({ broker }: { broker: string }) {
  const logOut = useBrokerLogOut()
  const ask = async () => {
    const isSure = await confirm({
      title: `Log out at ${broker}?`,
      text: "The session ends here and at the broker. Live prices then need a client’s open session.",
      act: "Log out",
    })
    if (!isSure) return
    // Awaited: after the logout this button unmounts before a callback would run.
    try {
      const { message } = await logOut.mutateAsync()
      toast.success(message ?? "Logged out at the broker")
    } catch (error) {
      toast.error(messageOf(error, "Something went wrong"))
    }
  }
  return (
    <Button
      kind="subtle"
      icon={<LogOut size={15} aria-hidden="true" />}
      isBusy={logOut.isPending}
      onClick={() => void ask()}
    >
      Log out
    </Button>
  )
}
