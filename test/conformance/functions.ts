// Hosts that call a function: each is given a deployment, and is asked as its platform would ask.
// Knows nothing of what is asked of them.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HttpEvent, HttpResult } from '../../src/platforms/aws-lambda/handler.ts'
import { provideHostPackages } from '../support/host-packages.ts'
import { type EventSource, eventOf } from '../support/lambda-events.ts'
import {
  installLambdaRuntime,
  invokeStreaming,
  responseOf,
  type StreamingHandler,
} from '../support/lambda-runtime.ts'
import { deployExample } from './deployed.ts'
import type { HostUnderTest } from './host.ts'
import { requestAddress, requestHandler } from './hosts.ts'

/** What a deployment to Lambda exports. */
interface LambdaModule {
  readonly handler: (event: HttpEvent) => Promise<HttpResult>
  readonly streaming: StreamingHandler<HttpEvent>
}

/** Lambda, by recorded events. */
export async function openLambda(source: EventSource, isStreamed: boolean): Promise<HostUnderTest> {
  const { folder, site, remove } = await deployExample('aws-lambda')
  installLambdaRuntime()
  process.env['QUARRY_RATE_LIMIT'] = 'off'
  const { handler, streaming } = await load<LambdaModule>(
    join(folder, 'deploy/aws-lambda/index.js'),
  )
  const buffered = async (event: HttpEvent) => {
    // What leaves a Lambda function is JSON.
    const result: HttpResult = JSON.parse(JSON.stringify(await handler(event)))
    return responseOf(result.statusCode, Object.entries(result.headers), result.body)
  }
  return {
    site,
    request: requestHandler((request) => {
      const event = eventOf(source, request)
      return isStreamed ? invokeStreaming(streaming, event) : buffered(event)
    }),
    close: remove,
  }
}

/** What zip-it-and-ship-it is asked for, in part. */
interface Zisi {
  zipFunction(source: string, target: string, options: object): Promise<NetlifyFunction>
}

interface NetlifyFunction {
  readonly path: string
  readonly entryFilename: string
  readonly routes: readonly { readonly expression: string; readonly methods: readonly string[] }[]
}

/** The event that Netlify's own bootstrap reads. */
interface NetlifyEvent {
  readonly rawUrl: string
  readonly httpMethod: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isBase64Encoded: boolean
}

/** Netlify's own bundler over the deployment, and the bootstrap that it puts before the function. */
export async function openNetlify(): Promise<HostUnderTest> {
  const { folder, site, remove } = await deployExample('netlify')
  const require = createRequire(join(provideHostPackages('netlify'), 'x.js'))
  const zisi = await load<Zisi>(require.resolve('@netlify/zip-it-and-ship-it'))
  const target = join(folder, '.netlify')
  mkdirSync(target)
  const made = await zisi.zipFunction(join(folder, 'deploy/netlify/functions/quarry'), target, {
    archiveFormat: 'none',
    basePath: folder,
    config: { '*': netlifySettings(folder) },
  })
  installLambdaRuntime()
  process.env['QUARRY_RATE_LIMIT'] = 'off'
  const entry = join(made.path, made.entryFilename)
  const { handler } = await load<{ handler: StreamingHandler<NetlifyEvent> }>(entry)
  return {
    site,
    request: requestHandler((request) => {
      const { pathname } = new URL(request.url)
      const isRouted = made.routes.some(
        ({ expression, methods }) => methods.length === 0 && new RegExp(expression).test(pathname),
      )
      // A path without a function would be looked for among the published files, of which there are none.
      if (!isRouted) throw new Error(`no function for ${pathname}`)
      return invokeStreaming(handler, {
        rawUrl: request.url,
        httpMethod: request.method,
        headers: {
          ...Object.fromEntries(request.headers),
          'x-nf-client-connection-ip': '192.0.2.7',
        },
        body: '',
        isBase64Encoded: false,
      })
    }),
    close: remove,
  }
}

/** The example's own `netlify.toml`, as far as the bundler reads it. */
function netlifySettings(folder: string): object {
  const toml = readFileSync(join(folder, 'netlify.toml'), 'utf8')
  const included = /^included_files = (\[.*\])$/m.exec(toml)?.[1] ?? '[]'
  const nodeBundler = /^node_bundler = "(.*)"$/m.exec(toml)?.[1]
  return { includedFiles: JSON.parse(included), includedFilesBasePath: folder, nodeBundler }
}

/** Vercel's Build Output, read as its specification says, and its function behind Node's own server. */
export async function openVercel(): Promise<HostUnderTest> {
  const { folder, site, remove } = await deployExample('vercel')
  const output = join(folder, '.vercel/output')
  const read = (path: string) => JSON.parse(readFileSync(join(output, path), 'utf8'))
  const config: { version: number; routes: { src?: string; dest?: string }[] } = read('config.json')
  if (config.version !== 3 || existsSync(join(output, 'static'))) throw new Error('not understood')
  process.env['QUARRY_RATE_LIMIT'] = 'off'
  const functionOf = async (path: string): Promise<RequestListener | undefined> => {
    const route = config.routes.find(({ src = '' }) => new RegExp(`^${src}$`).test(path))
    if (route?.dest === undefined) return undefined
    const place = `functions${route.dest}.func`
    const { handler, launcherType } = read(`${place}/.vc-config.json`)
    if (launcherType !== 'Nodejs') throw new Error(`no launcher ${launcherType}`)
    return (await load<{ default: RequestListener }>(join(output, place, handler))).default
  }
  const server = createServer({ maxHeaderSize: 32_768 }, async (incoming, outgoing) => {
    incoming.headers['x-real-ip'] = '192.0.2.7'
    const listener = await functionOf((incoming.url ?? '').split('?')[0] ?? '')
    if (listener === undefined) outgoing.writeHead(404).end('NOT_FOUND')
    else listener(incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    site,
    request: requestAddress(`http://127.0.0.1:${port}`),
    close: () => {
      server.closeAllConnections()
      server.close()
      remove()
    },
  }
}

function load<T>(file: string): Promise<T> {
  return import(/* @vite-ignore */ pathToFileURL(file).href) as Promise<T>
}
