// The connections of a server: which are open, which are being answered on, which were never used.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Connections that are open, and the latest answer on each. */
export class Connections {
  readonly #latest = new Map<Socket, ServerResponse | null>()

  /** Follows a connection until it is closed. */
  add(socket: Socket): void {
    this.#latest.set(socket, null)
    socket.once('close', () => this.#latest.delete(socket))
  }

  /** Follows a response; those of one connection are sent in the order in which they are added. */
  addResponse(socket: Socket, outgoing: ServerResponse): void {
    if (this.#latest.has(socket)) this.#latest.set(socket, outgoing)
  }

  /** True when a response is on it that was not sent to its end. */
  hasResponse(socket: Socket): boolean {
    const latest = this.#latest.get(socket) ?? null
    return latest !== null && !latest.writableFinished && !latest.destroyed
  }

  /** Ends those that were opened and never used; to Node they are not idle. */
  closeUnused(): void {
    for (const socket of this.#latest.keys()) if (socket.bytesRead === 0) socket.destroy()
  }
}
