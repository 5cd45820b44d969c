// Vercel with what a build for it wrote. `blackbox/host.mjs` is its router, and Node's server before its function.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startHost } from '../blackbox/programs.ts'
import { deployExample } from './deployed.ts'
import type { FileHost } from './files.ts'
import { requestAddress } from './hosts.ts'
import type { ListeningHost } from './programs.ts'

/** Starts it. @param addContent as `deployExample` takes it */
export async function openVercel(
  addContent?: (content: string) => void,
): Promise<ListeningHost & FileHost> {
  const { folder, site, remove } = await deployExample('vercel', addContent)
  let server = await startHost(folder, 'vercel')
  return {
    url: server.url,
    folder,
    site,
    out: join(folder, 'dist'),
    request: (path, options) => requestAddress(server.url)(path, options),
    stopFunction: async () => {
      const broken = 'export default (_, outgoing) => outgoing.writeHead(500).end()'
      writeFileSync(join(folder, '.vercel/output/functions/index.func/index.js'), broken)
      await server.stop()
      server = await startHost(folder, 'vercel')
    },
    close: async () => {
      await server.stop()
      remove()
    },
  }
}
