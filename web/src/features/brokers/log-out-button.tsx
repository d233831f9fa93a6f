import { LogOut } from "lucide-react"
import { messageOf } from "@/api/client"
import { Button } from "@/ui/button"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import { useLogOut } from "./queries"

/** Ends the firm's session, after a question: prices may stop by it. */
export function LogOutButton({ broker }: { broker: string }) {
  const logOut = useLogOut()
  const ask = async () => {
    const isSure = await confirm({
      title: `Log out at ${broker}?`,
      text: "The session ends here and at the broker. Live prices go on only by a client’s session, if there is one.",
      act: "Log out",
    })
    if (!isSure) return
    // Told by the promise: once logged out, this button is gone before a callback would be.
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
