// The layer in front of the handler of `quarry dev`: server-sent events about builds, and the content with
// drafts.
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { ApiError } from '../api/errors.ts'
import {
  type ContentView,
  type DevEvent,
  explorerPage,
  type ViewedWorkspace,
} from '../build/explorer-page.ts'
import type { Workspace } from '../model/library.ts'
import type { HttpReply, HttpRequest } from '../runtime/http.ts'
import { errorReply } from '../runtime/replies.ts'
import type { Responder } from '../runtime/responder.ts'
import { isLocalHost } from './server.ts'

/** The page of `quarry dev` and its events. */
export interface DevPage {
  /** Returns the page. */
  readonly read: () => Uint8Array
  /** Responds to the page's own requests and passes all others to `handler`. */
  before(handler: Responder): Responder
  /**
   * Sends an event to every open page, and to pages opened later.
   *
   * @param workspaces the content of this build. @default the previous content stays
   */
  send(event: DevEvent, workspaces?: readonly Workspace[]): void
  /** Ends all streams, so that the server can close. */
  close(): void
}

/** Interval of keep-alive messages, in milliseconds: well below the timeout for silent connections. */
const keepAliveMs = 10_000

/** The project that a page works on. */
export interface DevProject {
  /** The working directory, absolute. */
  readonly root: string
  /** The content folder, relative to `root`. */
  readonly folder: string
  /** The time at which the site is shown, in milliseconds since 1970. @default the clock */
  readonly now?: number | undefined
  /** Explains a request; returns JSON. */
  readonly explain: (request: {
    readonly target: string
    readonly key: string | null
    readonly now: number
  }) => Promise<string>
  /** Returns a responder for a point in time, in milliseconds since 1970. */
  readonly at: (moment: number) => Responder
}

/** Returns a page without events. @param host the host name that the server listens on */
export function createDevPage(host: string, project: DevProject): DevPage {
  const now = () => project.now ?? Date.now()
  const news = new EventEmitter().setMaxListeners(0)
  let latest: DevEvent | null = null
  let isClosed = false
  let workspaces: readonly Workspace[] = []
  /** Yields server-sent events: the latest one immediately, then new ones. A slow reader misses events in between. */
  async function* events(): AsyncGenerator<Uint8Array> {
    let sent: DevEvent | null = null
    while (!isClosed) {
      if (latest === sent) {
        const signal = AbortSignal.timeout(keepAliveMs)
        await once(news, 'change', { signal }).catch(() => undefined)
        if (latest === sent && !isClosed) yield Buffer.from(': still here\n\n')
      } else {
        sent = latest
        yield Buffer.from(`data: ${JSON.stringify(sent)}\n\n`)
      }
    }
  }
  const json = (text: string) => reply('application/json', Buffer.from(text))
  const pages: Readonly<Record<string, Responder>> = {
    '/_quarry/events': () => reply('text/event-stream', events()),
    '/_quarry/content': () => json(JSON.stringify(contentView(workspaces, project))),
    '/_quarry/explain': async (request) => {
      const query = new URLSearchParams(request.target.replace(/^[^?]*/, ''))
      const key = /^Bearer (.+)$/.exec(request.header('authorization') ?? '')?.[1] ?? null
      const at = Date.parse(query.get('now') ?? '') || now()
      return json(await project.explain({ target: query.get('target') ?? '/', key, now: at }))
    },
  }
  /** Responds to a request of the API at the time in its path: `/_quarry/at/2027-01-01/v1/…`. */
  const respondAt = async (
    request: HttpRequest,
    [, time = '', target = '/']: readonly string[],
  ) => {
    const made = await project.at(Date.parse(time) || now())({ ...request, target })
    // Other pages must not read posts that are not public yet.
    const headers = made.headers.filter(([name]) => !name.startsWith('access-control-'))
    return { ...made, headers }
  }
  return {
    read: () => explorerPage('dev', workspaces),
    before: (handler) => (request) => {
      const later = /^\/_quarry\/at\/([^/]+)(\/v[12]\/.*)$/s.exec(request.target)
      const page = later
        ? () => respondAt(request, later)
        : pages[request.target.replace(/\?.*/s, '')]
      if (page === undefined || request.method !== 'GET') return handler(request)
      return isOwnPage(request, host) ? page(request) : errorReply(request, foreignOrigin)
    },
    send: (event, content) => {
      workspaces = content ?? workspaces
      latest = event
      news.emit('change')
    },
    close: () => {
      isClosed = true
      news.emit('change')
    },
  }
}

const foreignOrigin = new ApiError(403, 'Only the page of this server may request this.')

/**
 * Only this server's own page may see drafts: neither other pages in the same browser, nor a page whose host name was
 * pointed here (DNS rebinding).
 */
function isOwnPage(request: HttpRequest, host: string): boolean {
  const site = request.header('sec-fetch-site') ?? 'same-origin'
  return isLocalHost(request, host) && (site === 'same-origin' || site === 'none')
}

/** Omits the CORS headers, so that other pages cannot read the response. */
function reply(type: string, body: HttpReply['body']): HttpReply {
  const headers = [
    ['cache-control', 'no-store'],
    ['content-type', type],
    ['x-content-type-options', 'nosniff'],
  ] as const
  return { status: 200, headers, body, source: 'none' }
}

/** Returns the content of workspaces. Cost: O(posts). */
function contentView(
  workspaces: readonly Workspace[],
  { root, folder, now }: Pick<DevProject, 'root' | 'folder' | 'now'>,
): ContentView {
  const place = (file: string) => join(folder, file).replaceAll('\\', '/')
  const view = (workspace: Workspace): ViewedWorkspace => {
    const { id, name, isV1Private, categories, tags, authors } = workspace
    const posts = [...workspace.drafts, ...workspace.posts].map(({ post, hidden, body }) => {
      const { title, slug, publishedAt } = post
      const isDraft = hidden !== undefined
      const category = isDraft ? null : post.category.name
      return { title, isDraft, slug, publishedAt, category, file: place(body.file) }
    })
    const counts = { categories: categories.length, tags: tags.length, authors: authors.length }
    return { id, name, isV1Private, ...counts, posts }
  }
  return { root: root.replaceAll('\\', '/'), now, workspaces: workspaces.map(view) }
}
