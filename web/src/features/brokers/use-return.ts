import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { session } from "@/api/session"
import { firmQuery, signedInQuery } from "@/api/shared-queries"
import { leaveTo } from "@/lib/leave"
import { appAddress, type Handover } from "./handover"

/** When the link appears that goes on by hand, when an app that did not open is called missing, and how long staff wait. */
const LINK_AFTER = 2000
const APP_MISSING_AFTER = 3000
const STAFF_WAIT = 10_000
/** Where the app is unless the server says otherwise. */
const USUAL_APP_LINK = "tarazu://broker"

/** True once the link that goes on by hand may be shown. */
export function useLinkDelay() {
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), LINK_AFTER)
    return () => clearTimeout(timer)
  }, [])
  return isDue
}

/** Opens the app; a window that keeps the focus for three seconds tells that there is none. */
export function useAppRedirect(given: Handover, isAllowed: boolean) {
  const firm = useQuery(firmQuery)
  const [isAppMissing, setIsAppMissing] = useState(false)
  const appLink = firm.data?.appLink ?? (firm.isError ? USUAL_APP_LINK : null)
  const address = appLink !== null && isAllowed ? appAddress(appLink, given) : null
  useEffect(() => {
    if (address === null) return
    const timer = setTimeout(() => setIsAppMissing(true), APP_MISSING_AFTER)
    const opened = () => clearTimeout(timer)
    const hidden = () => {
      if (document.hidden) opened()
    }
    window.addEventListener("blur", opened)
    document.addEventListener("visibilitychange", hidden)
    leaveTo(address)
    return () => {
      opened()
      window.removeEventListener("blur", opened)
      document.removeEventListener("visibilitychange", hidden)
    }
  }, [address])
  return { address, isAppMissing }
}

/**
 * On a desk: nobody without a token stays; the server says whose token it is. True once it is an ADMIN's, who
 * goes on after ten seconds.
 */
export function useStaffReturn(goOn: () => void) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [isStaff, setIsStaff] = useState(false)
  useEffect(() => {
    let isGone = false
    const leave = (to: "/login" | "/auth/login") => {
      if (!isGone) void navigate({ to, replace: true })
    }
    if (session.get("token") === null) {
      leave("/login")
      return
    }
    cache
      .query({ ...signedInQuery, staleTime: 0, retry: false })
      .then(({ role }) => {
        if (role !== "ADMIN") leave("/auth/login")
        else if (!isGone) setIsStaff(true)
      })
      .catch(() => {
        if (isGone) return
        session.clear()
        leave("/login")
      })
    return () => {
      isGone = true
    }
  }, [cache, navigate])
  useEffect(() => {
    if (!isStaff) return
    const timer = setTimeout(goOn, STAFF_WAIT)
    return () => clearTimeout(timer)
  }, [isStaff, goOn])
  return isStaff
}
