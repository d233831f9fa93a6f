type Listener = (...heard: unknown[]) => void

/** The last socket that was opened: with what, who listens to it, and how often it was closed. */
export const opened = {
  with: [] as unknown[],
  heard: {} as Record<string, Listener>,
  managed: {} as Record<string, Listener>,
  closed: 0,
}

/** Replaces `io` of socket.io-client in all tests: it opens nothing, and a test may call its listeners. */
export function io(...given: unknown[]) {
  Object.assign(opened, { with: given, heard: {}, managed: {}, closed: 0 })
  return {
    on: (event: string, listener: Listener) => (opened.heard[event] = listener),
    close: () => (opened.closed += 1),
    connect: () => undefined,
    io: { on: (event: string, listener: Listener) => (opened.managed[event] = listener) },
  }
}
