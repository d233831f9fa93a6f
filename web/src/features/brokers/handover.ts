/** What a broker's log-in page hands over in the address of our return page. */
export interface Handover {
  status: string
  requestToken: string
  authToken: string
  refreshToken: string
  feedToken: string
  state: string
}

const RETURN_PAGE = /^\/redirect\/?$/

let handedOver: Handover = read("")

function read(query: string): Handover {
  const given = new URLSearchParams(query)
  const parameter = (name: string) => given.get(name) ?? ""
  return {
    status: parameter("status"),
    requestToken: parameter("request_token"),
    authToken: parameter("auth_token"),
    refreshToken: parameter("refresh_token"),
    feedToken: parameter("feed_token"),
    state: parameter("state"),
  }
}

/**
 * Takes the tokens out of the address bar and the history, before anything else of the product runs. They stay
 * in this page's memory alone; a reload does not find them again.
 */
export function takeHandover() {
  const { pathname, search } = window.location
  if (!RETURN_PAGE.test(pathname)) return
  handedOver = read(search)
  if (search !== "") window.history.replaceState(null, "", pathname)
}

export const handover = () => handedOver

/** The token that the server exchanges: Zerodha's request token or Angel One's auth token. */
export const tokenOf = ({ requestToken, authToken }: Handover) => requestToken || authToken

/** A log-in that the broker refused says so, or comes without any token. */
export const isRefused = (given: Handover) =>
  (given.status !== "" && given.status !== "success") || tokenOf(given) === ""

/** A client's log-in that was begun by a link in this browser: it ends here, on a phone too. */
export const isClientLogin = ({ state }: Handover) => state.startsWith("client.")

/** A client's log-in that the app began: it needs the mark of its beginning back. */
const isAppLogin = ({ state }: Handover) => state.startsWith("app.")

/** The app's address with what the broker handed over, for the person's phone. */
export function appAddress(appLink: string, given: Handover): string {
  const parameters = new URLSearchParams({ status: "success" })
  if (given.requestToken) parameters.set("request_token", given.requestToken)
  if (given.authToken) parameters.set("auth_token", given.authToken)
  if (given.refreshToken) parameters.set("refresh_token", given.refreshToken)
  if (isAppLogin(given)) {
    if (given.feedToken) parameters.set("feed_token", given.feedToken)
    parameters.set("state", given.state)
  }
  return `${appLink}${appLink.includes("?") ? "&" : "?"}${parameters.toString()}`
}

/** Phones and tablets; an iPad calls itself a Mac, but has more than one touch point. */
export function isMobile({ userAgent, maxTouchPoints }: Navigator = navigator): boolean {
  if (/Android|iPhone|iPad|iPod|webOS|BlackBerry|IEMobile|Opera Mini|Mobile/i.test(userAgent))
    return true
  return /Macintosh/.test(userAgent) && maxTouchPoints > 1
}
