// A port that can be listened on, found before a build has spent any time.
import { createServer } from 'node:net'
import { UseError } from '../config/use-error.ts'

/** Ports that are tried, one after the other. */
const tries = 20

/**
 * The port, or the next one that is free.
 *
 * @param isStrict take no other port
 * @throws UseError when it is taken, and `isStrict`; Error of the system for an address that cannot be listened on
 */
export async function freePort(
  { host, port }: Readonly<{ host: string; port: number }>,
  isStrict = false,
): Promise<number> {
  // Any port that is free: there will be one.
  if (port === 0) return port
  const last = isStrict ? port : Math.min(port + tries - 1, 65_535)
  for (let next = port; next <= last; next++) {
    if (await isFree(host, next)) return next
  }
  const range = last === port ? `Port ${port} is taken` : `The ports ${port} to ${last} are taken`
  throw new UseError(`${range}. Choose another with --port; 0 takes any that is free.`)
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
