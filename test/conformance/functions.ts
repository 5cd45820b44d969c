// Hosts that call a function: each is given a deployment, and is asked as its platform would ask.
// Knows nothing of what is asked of them.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HttpEvent, HttpResult } from '../../src/hosts/aws-lambda.ts'
import { provideHostPackages } from '../support/host-packages.ts'
import { type EventSource, eventOf } from '../support/lambda-events.ts'
import {
  installLambdaRuntime,
  invokeStreaming,
  responseOf,
  type StreamingHandler,
} from '../support/lambda-runtime.ts'
import { deployExample } from './deployed.ts'
import type { FunctionFiles, HostUnderTest } from './host.ts'
import { requestHandler } from './hosts.ts'
import { publishedByNetlify, sendPublished } from './published.ts'

/** A host that starts a function with every request. */
export interface FunctionHost extends HostUnderTest {
  readonly files: FunctionFiles
}

/** What a deployment to Lambda exports. */
interface LambdaModule {
  readonly handler: (event: HttpEvent) => Promise<HttpResult>
  readonly streaming: StreamingHandler<HttpEvent>
}

/** Lambda, by recorded events. */
export async function openLambda(
  source: EventSource,
  isStreamed: boolean,
  addContent?: (content: string) => void,
): Promise<FunctionHost> {
  const { folder, site, remove } = await deployExample('aws-lambda', addContent)
  installLambdaRuntime()
  process.env['QUARRY_RATE_LIMIT'] = 'off'
  process.env['QUARRY_MCP'] = 'on'
  const deployed = join(folder, 'deploy/aws-lambda')
  let loaded = await loadCopy<LambdaModule>(deployed, 'index.js')
  return {
    site,
    out: join(folder, 'dist'),
    request: invokeLambda(source, isStreamed, () => loaded),
    files: {
      folder: join(deployed, 'function'),
      restart: async () => {
        loaded = await loadCopy(deployed, 'index.js')
      },
    },
    close: remove,
  }
}

/** Requests to a Lambda function, as recorded events. */
function invokeLambda(
  source: EventSource,
  isStreamed: boolean,
  loaded: () => LambdaModule,
): HostUnderTest['request'] {
  const buffered = async (event: HttpEvent) => {
    // What leaves a Lambda function is JSON.
    const result: HttpResult = JSON.parse(JSON.stringify(await loaded().handler(event)))
    return responseOf(result.statusCode, Object.entries(result.headers), result.body)
  }
  return requestHandler(async (request) => {
    const event = eventOf(source, request, Buffer.from(await request.arrayBuffer()))
    return isStreamed ? invokeStreaming(loaded().streaming, event) : buffered(event)
  })
}

/** What zip-it-and-ship-it is asked for, in part. */
interface Zisi {
  zipFunction(source: string, target: string, options: object): Promise<NetlifyFunction>
}

interface NetlifyFunction {
  readonly path: string
  readonly entryFilename: string
  readonly routes: readonly {
    readonly expression: string
    readonly methods: readonly string[]
    readonly prefer_static?: boolean
  }[]
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
export async function openNetlify(addContent?: (content: string) => void): Promise<FunctionHost> {
  const { folder, site, remove } = await deployExample('netlify', addContent)
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
  process.env['QUARRY_MCP'] = 'on'
  const publish = publishedFolder(folder)
  const open = () =>
    loadCopy<{ handler: StreamingHandler<NetlifyEvent> }>(made.path, made.entryFilename)
  let loaded = await open()
  return {
    site,
    out: join(folder, 'dist'),
    request: requestHandler(async (request) => {
      const { pathname } = new URL(request.url)
      const route = made.routes.find(
        ({ expression, methods }) => methods.length === 0 && new RegExp(expression).test(pathname),
      )
      if (route === undefined) throw new Error(`no function for ${pathname}`)
      // What is published comes before a function that prefers it.
      const published = route.prefer_static ? publishedByNetlify(publish, pathname) : null
      if (published !== null) {
        const { headers, body } = sendPublished(published, request.method)
        return new Response(body as Uint8Array<ArrayBuffer> | null, { headers })
      }
      return invokeStreaming(loaded.handler, {
        rawUrl: request.url,
        httpMethod: request.method,
        headers: {
          ...Object.fromEntries(request.headers),
          'x-nf-client-connection-ip': '192.0.2.7',
        },
        body: await request.text(),
        isBase64Encoded: false,
      })
    }),
    files: {
      folder: functionFolder(made.path),
      restart: async () => {
        loaded = await open()
      },
    },
    close: remove,
  }
}

/** Where the bundler put the function's files. */
function functionFolder(made: string): string {
  const [index = ''] = readdirSync(made, { recursive: true, encoding: 'utf8' }).filter(
    (path) => basename(path) === 'root.json',
  )
  return join(made, dirname(index))
}

/** The folder whose files the example's `netlify.toml` gives to everybody. */
function publishedFolder(folder: string): string {
  const [, publish = ''] = /^publish = "(.*)"$/m.exec(netlifyToml(folder)) ?? []
  return join(folder, publish)
}

/** The example's own `netlify.toml`, as far as the bundler reads it. */
function netlifySettings(folder: string): object {
  const toml = netlifyToml(folder)
  const included = /^included_files = (\[.*\])$/m.exec(toml)?.[1] ?? '[]'
  const nodeBundler = /^node_bundler = "(.*)"$/m.exec(toml)?.[1]
  return { includedFiles: JSON.parse(included), includedFilesBasePath: folder, nodeBundler }
}

function netlifyToml(folder: string): string {
  return readFileSync(join(folder, 'netlify.toml'), 'utf8')
}

/** Loads a module of a copy of its folder: a module that was loaded before stays what it was. */
export function loadCopy<T>(folder: string, file: string): Promise<T> {
  const copy = mkdtempSync(`${folder}-`)
  cpSync(folder, copy, { recursive: true })
  return load(join(copy, file))
}

function load<T>(file: string): Promise<T> {
  return import(/* @vite-ignore */ pathToFileURL(file).href) as Promise<T>
}
