// Listens on an address.
import type { Server } from 'node:http'

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
}

/**
 * Starts listening.
 *
 * @returns the URL: `http://127.0.0.1:4321`
 * @throws Error with Node's code when it cannot listen: `EADDRINUSE`
 */
export async function listenAt(server: Server, { host, port }: ListenAddress): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
}
