// quarry as a Vite plugin: the content as a typed virtual module, and the API and its images on Vite's own server.
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { imagePathPattern } from './api/media.ts'
import { mediaFolder, publicFolder } from './api/paths.ts'
import { resourceKinds } from './api/resources.ts'
import { isSdkPath } from './api/routes.ts'
import { imagesIn } from './hosts/folder.ts'
import { withImages } from './hosts/function.ts'
import { localOnly, nodeHandler } from './hosts/server.ts'
import {
  ContentError,
  type ContentLog,
  type ContentOptions,
  type LocalContent,
  openContent,
} from './loaders.ts'
import { createResponder } from './runtime/responder.ts'

/** The used part of Vite's development server. */
interface ViteServer {
  readonly middlewares: {
    use(
      handle: (request: IncomingMessage, response: ServerResponse, next: () => void) => void,
    ): void
  }
  readonly moduleGraph: {
    getModuleById(id: string): object | undefined
    invalidateModule(module: never): void
  }
  readonly ws: {
    send(payload: { readonly type: 'full-reload' } | { readonly type: 'error'; err: object }): void
    on(event: 'connection', listener: () => void): void
  }
  readonly httpServer: { once(event: 'close', listener: () => void): unknown } | null
}

/** The hooks that Vite calls. Requires Vite 6 or later. */
export interface QuarryPlugin {
  readonly name: string
  configResolved(config: { readonly root: string; readonly logger: ContentLog }): void
  configureServer(server: ViteServer): Promise<void>
  resolveId(source: string): string | undefined
  load(id: string): Promise<string | undefined>
  generateBundle(this: {
    emitFile(file: { type: 'asset'; fileName: string; source: Uint8Array }): unknown
  }): Promise<void>
  closeBundle(): Promise<void>
}

const prefix = 'virtual:quarry/'
// regex: a path begins with a fixed text, and a slash ends the only part without a fixed length
const imagePaths = new RegExp(imagePathPattern, 'g')

/**
 * Returns a plugin that builds the content inside Vite.
 *
 * - `import { posts } from 'virtual:quarry/handbook'` exports the published posts of a workspace, and also
 *   `categories`, `tags`, `authors`, and `collections` by name. Types are written to `.quarry/vite.d.ts`.
 * - `vite dev` serves `/v1/…` and `/media/…`, and reloads pages after each edit of the content. An error in the content
 *   is shown in the terminal and over the page, and the last good content stays.
 * - `vite build` emits the images of published posts.
 */
export function quarry(options: ContentOptions = {}): QuarryPlugin {
  let root = process.cwd()
  let log: ContentLog = console
  let opened: Promise<LocalContent> | undefined
  /** Paths of the images that modules name. */
  const images = new Set<string>()
  const open = () => (opened ??= openContent('vite', { project: root, ...options }, log))
  const close = async () => {
    const content = await opened?.catch(() => undefined)
    opened = undefined
    await content?.loop.close()
  }
  return {
    name: 'quarry',
    configResolved(config) {
      root = config.root
      log = config.logger
    },
    async configureServer(server) {
      const content = await open()
      server.httpServer?.once('close', () => void close())
      server.middlewares.use(middlewareOf(content))
      const reload = () => {
        for (const workspace of content.loop.current().workspaces.keys()) {
          const module = server.moduleGraph.getModuleById(`\0${prefix}${workspace}`)
          if (module !== undefined) server.moduleGraph.invalidateModule(module as never)
        }
        server.ws.send({ type: 'full-reload' })
      }
      const showProblem = () => {
        const problem = content.problem()
        if (problem === null) return
        const { message, stack } = problem
        const place = problem instanceof ContentError ? { ...problem } : {}
        server.ws.send({ type: 'error', err: { ...place, message, stack } })
      }
      content.loop.subscribe(({ kind }) => (kind === 'built' ? reload() : showProblem()))
      server.ws.on('connection', showProblem)
    },
    resolveId: (source) => (source.startsWith(prefix) ? `\0${source}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const workspace = id.slice(1 + prefix.length)
      const content = await open()
      const lines = resourceKinds.map(async (kind) => {
        return `export const ${kind} = ${JSON.stringify(await content.list(workspace, kind))}\n`
      })
      const { collections: known } = content.loop.current().workspaces.get(workspace) ?? {}
      const own = [...(known?.keys() ?? [])].map(async (name) => {
        const items = await content.list(workspace, { collection: name })
        return `${JSON.stringify(name)}:${JSON.stringify(items)}`
      })
      const collections = `export const collections = {${(await Promise.all(own)).join()}}\n`
      const text = [...(await Promise.all(lines)), collections].join('')
      for (const [path] of text.matchAll(imagePaths)) images.add(path.slice(1))
      return text
    },
    async generateBundle() {
      const content = await opened
      for (const fileName of images) {
        const file = join(content?.settings.out ?? '', publicFolder, fileName)
        if (existsSync(file)) this.emitFile({ type: 'asset', fileName, source: readFileSync(file) })
      }
    },
    closeBundle: close,
  }
}

/** Serves only v1 and images, because a page must not contain API keys. */
function middlewareOf({
  loop,
  settings,
}: LocalContent): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  const responder = withImages(
    createResponder(() => loop.current()),
    imagesIn(join(settings.out, mediaFolder)),
  )
  // Vite verifies the host name.
  const handle = nodeHandler(localOnly(responder, ''))
  return (request, response, next) => {
    const path = request.url ?? ''
    if (!/^\/(?:v1|media)\//.test(path) || isSdkPath(path)) return next()
    handle(request, response)
  }
}
