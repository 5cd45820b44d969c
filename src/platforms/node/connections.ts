// The connections of a server: which are open, which are being answered on, which were never used.
// Knows nothing of requests.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Connections that are open, and the answers under way on them. */
export class Connections {
  readonly #answers = new Map<Socket, number>()

  /** Follows a connection until it is closed. */
  add(socket: Socket): void {
    this.#answers.set(socket, 0)
    socket.once('close', () => this.#answers.delete(socket))
  }

  /** Follows an answer until it is sent or given up. */
  addAnswer(socket: Socket, outgoing: ServerResponse): void {
    this.#count(socket, 1)
    outgoing.once('close', () => this.#count(socket, -1))
  }

  /** True when an answer stands on it that was not sent to its end. */
  hasAnswer(socket: Socket): boolean {
    return (this.#answers.get(socket) ?? 0) > 0
  }

  /** Ends those that were opened and never used; to Node they are not idle. */
  closeUnused(): void {
    for (const socket of this.#answers.keys()) if (socket.bytesRead === 0) socket.destroy()
  }

  #count(socket: Socket, change: number): void {
    const count = this.#answers.get(socket)
    if (count !== undefined) this.#answers.set(socket, count + change)
  }
}
