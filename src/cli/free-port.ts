// Finds a free port before the build.
import { createServer } from 'node:net'
import { UseError } from '../config/use-error.ts'

/** Number of consecutive ports to try. */
const tries = 20

/**
 * Returns the port, or the next free one.
 *
 * @param isStrict tries no other port
 * @throws UseError if the port is in use and `isStrict`; system errors for an invalid address
 */
export async function freePort(
  { host, port }: Readonly<{ host: string; port: number }>,
  isStrict = false,
): Promise<number> {
  // The system picks a free port.
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
