// nginx with the configuration of its example, in front of `quarry serve`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { start } from '../support/command-line.ts'
import { startNginx } from '../support/nginx.ts'
import { freePort } from '../support/process.ts'
import { deployExample, unscheduledWorkspaces } from './deployed.ts'
import type { FileHost } from './files.ts'
import { requestAddress } from './hosts.ts'
import type { ListeningHost } from './programs.ts'

/** The configuration with places of this machine, and the workspaces that have no scheduled posts. */
export async function openNginx(
  addContent?: (content: string) => void,
): Promise<ListeningHost & FileHost> {
  const { folder, site, remove } = await deployExample('nginx', addContent)
  const environment = {
    QUARRY_RATE_LIMIT: 'off',
    QUARRY_TRUSTED_PROXIES: '1',
    QUARRY_MCP: 'on',
  }
  const served = start(folder, ['serve', '--port', '0'], environment)
  const [, behind = ''] = await served.waitFor(/ at http:\/\/(\S+)/)
  const port = await freePort()
  const written = readFileSync(join(folder, 'quarry.conf'), 'utf8')
  const text = written
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('127.0.0.1:4321', behind)
    .replaceAll('/var/www/quarry', join(folder, 'dist/public'))
    .replace(
      '# blog "";',
      unscheduledWorkspaces(folder)
        .map((id) => `${id} "";`)
        .join(' '),
    )
  const nginx = await startNginx(text, port)
  const url = `http://127.0.0.1:${port}`
  const stopFunction = async () => {
    served.stop('SIGTERM')
    await served.ended
  }
  return {
    url,
    out: join(folder, 'dist'),
    stopFunction,
    folder,
    site,
    request: requestAddress(url),
    close: async () => {
      await nginx.stop()
      await stopFunction()
      remove()
    },
  }
}
