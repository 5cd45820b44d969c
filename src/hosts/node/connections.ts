// Tracks a server's connections: open, with a pending response, or never used.
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddress } from '../client-address.ts'

/** Returns three quarters of the files that the process may open: the rest is for the files of builds. */
export function connectionsMax(): number {
  try {
    const [, limit] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Math.floor(Number(limit ?? usualOpenFilesMax) * 0.75)
  } catch {
    return usualOpenFilesMax
  }
}

/** On systems that do not tell: the limit of macOS. */
const usualOpenFilesMax = 10_240

/** The open connections and the latest response on each. */
export class Connections {
  readonly #latest = new Map<Socket, ServerResponse | null>()
  /** The number of connections of each client. */
  readonly #clients = new Map<string, number>()
  readonly #perClientMax: number

  /** @param perClientMax further connections of a client are closed at once */
  constructor(perClientMax: number) {
    this.#perClientMax = perClientMax
  }

  /** Tracks a connection until it closes. */
  add(socket: Socket): void {
    const client = clientAddress(socket.remoteAddress ?? '', null, 0)
    this.#latest.set(socket, null)
    this.#count(client, 1)
    socket.once('close', () => {
      this.#latest.delete(socket)
      this.#count(client, -1)
    })
    if ((this.#clients.get(client) ?? 0) > this.#perClientMax) socket.destroy()
  }

  #count(client: string, change: number): void {
    const count = (this.#clients.get(client) ?? 0) + change
    if (count > 0) this.#clients.set(client, count)
    else this.#clients.delete(client)
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
