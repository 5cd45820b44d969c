// Tracks a server's connections: open, with a pending response, or never used.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open connections and the latest response on each. */
export class Connections {
  readonly #latest = new Map<Socket, ServerResponse | null>()

  /** Tracks a connection until it closes. */
  add(socket: Socket): void {
    this.#latest.set(socket, null)
    socket.once('close', () => this.#latest.delete(socket))
  }

  /** Records a response. A connection sends its responses in the order of these calls. */
  addResponse(socket: Socket, outgoing: ServerResponse): void {
    if (this.#latest.has(socket)) this.#latest.set(socket, outgoing)
  }

  /** True while the connection has an unsent or partly sent response. */
  hasResponse(socket: Socket): boolean {
    const latest = this.#latest.get(socket) ?? null
    return latest !== null && !latest.writableFinished && !latest.destroyed
  }

  /** Closes connections that never sent a byte; Node does not consider them idle. */
  closeUnused(): void {
    for (const socket of this.#latest.keys()) if (socket.bytesRead === 0) socket.destroy()
  }
}
