import { io, type Socket } from "socket.io-client"
import { endSession, session, setUpDue, announceSetUpDue } from "@/api/session"
import { ATTEMPTS, beat, connected, gaveUp, type Heartbeat, reconnecting, resetFeed } from "./feed"
import { priceStore } from "./prices"
import { type Progress, report } from "./progress"

interface ServerEvents {
  ticks: (prices: Record<string, number>) => void
  "ticks:heartbeat": (heartbeat: Heartbeat) => void
  progress: (progress: Progress) => void
}

/** Opens the socket with the token of the session; returns the call that closes it. */
export function openFeed(): () => void {
  const socket: Socket<ServerEvents, Record<string, never>> = io({
    path: "/socket.io",
    transports: ["websocket"],
    reconnectionAttempts: ATTEMPTS,
    reconnectionDelay: 1000,
    auth: (give) => give({ token: session.get("token") ?? "" }),
  })
  socket.on("ticks", (prices) => priceStore.collect(prices))
  socket.on("ticks:heartbeat", beat)
  socket.on("progress", report)
  socket.on("connect", connected)
  socket.on("connect_error", (error: Error & { data?: { code?: string } }) => {
    // The server names one reason for which no further try can help.
    if (error.message !== "Unauthorized") return
    socket.close()
    const due = setUpDue(error.data?.code)
    if (due === undefined) endSession()
    else announceSetUpDue(due)
  })
  socket.on("disconnect", (reason) => {
    if (reason === "io server disconnect") socket.connect()
  })
  socket.io.on("reconnect_attempt", reconnecting)
  socket.io.on("reconnect_failed", gaveUp)
  return () => {
    socket.close()
    priceStore.clear()
    resetFeed()
  }
}
