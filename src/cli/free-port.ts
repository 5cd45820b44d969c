// Whether a port can be listened on, before a build has spent any time.
import { createServer } from 'node:net'

/** @throws Error of the system, as the server itself would */
export async function requireFreePort(
  where: Readonly<{ host: string; port: number }>,
): Promise<void> {
  // Any port that is free: there will be one.
  if (where.port === 0) return
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(where.port, where.host, resolve)
  })
  await new Promise((resolve) => server.close(resolve))
}
