// Vercel with what a build for it wrote: its Build Output, read as its specification says, and its function behind Node's
// own server.
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { deployExample } from './deployed.ts'
import type { FileHost } from './files.ts'
import { loadCopy } from './functions.ts'
import type { HostUnderTest } from './host.ts'
import { requestAddress } from './hosts.ts'
import { routeVercel, sendPublished } from './published.ts'

/** Starts the server. @param addContent as `deployExample` takes it */
export async function openVercel(
  addContent?: (content: string) => void,
): Promise<HostUnderTest & FileHost> {
  const { folder, site, remove } = await deployExample('vercel', addContent)
  const output = join(folder, '.vercel/output')
  process.env['QUARRY_RATE_LIMIT'] = 'off'
  process.env['QUARRY_MCP'] = 'on'
  const listeners = new Map<string, RequestListener>()
  let isStopped = false
  const server = createServer({ maxHeaderSize: 32_768 }, async (incoming, outgoing) => {
    incoming.headers['x-real-ip'] = '192.0.2.7'
    const { method = 'GET', url = '' } = incoming
    const routed = routeVercel(output, method, url)
    if (routed === null) {
      outgoing.writeHead(404).end('NOT_FOUND')
    } else if ('file' in routed) {
      const known = incoming.headers['if-none-match'] ?? null
      const { status, headers, body } = sendPublished(routed, method, known)
      outgoing.writeHead(status, { 'x-vercel-id': 'fra1::tests-1', ...headers }).end(body)
    } else if (isStopped) {
      outgoing.writeHead(500).end('FUNCTION_INVOCATION_FAILED')
    } else {
      const listener = listeners.get(routed.dest) ?? (await loadFunction(output, routed.dest))
      listeners.set(routed.dest, listener)
      listener(incoming, outgoing)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    site,
    out: join(folder, 'dist'),
    request: requestAddress(`http://127.0.0.1:${port}`),
    files: {
      folder: join(output, 'functions/index.func/function'),
      restart: async () => listeners.clear(),
    },
    stopFunction: () => {
      isStopped = true
    },
    close: () => {
      server.closeAllConnections()
      server.close()
      remove()
    },
  }
}

async function loadFunction(output: string, dest: string): Promise<RequestListener> {
  const folder = join(output, `functions${dest}.func`)
  const { handler, launcherType } = JSON.parse(
    readFileSync(join(folder, '.vc-config.json'), 'utf8'),
  )
  if (launcherType !== 'Nodejs') throw new Error(`no launcher ${launcherType}`)
  const loaded = await loadCopy<{ default: RequestListener }>(folder, handler)
  return loaded.default
}
