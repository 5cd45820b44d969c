// The layer in front of the handler of `quarry dev`: server-sent events about builds, and the content including
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
import { isHere } from './this-machine.ts'

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
const aliveMilliseconds = 10_000

/** The project that a page works on. */
export interface DevProject {
  /** The working directory, absolute. */
  readonly root: string
  /** The content folder, relative to `root`. */
  readonly folder: string
  /** Explains a request; returns JSON. */
  readonly explain: (request: {
    readonly target: string
    readonly key: string | null
  }) => Promise<string>
}

/** Returns a page without events. @param host the host name that the server listens on */
export function createDevPage(host: string, project: DevProject): DevPage {
  const news = new EventEmitter().setMaxListeners(0)
  let latest: DevEvent | null = null
  let isClosed = false
  let workspaces: readonly Workspace[] = []
  /** Server-sent events: the latest at once, then each new one; a slow reader misses events in between. */
  async function* events(): AsyncGenerator<Uint8Array> {
    let sent: DevEvent | null = null
    while (!isClosed) {
      if (latest === sent) {
        const signal = AbortSignal.timeout(aliveMilliseconds)
        await once(news, 'change', { signal }).catch(() => undefined)
        if (latest === sent && !isClosed) yield encode(': still here\n\n')
      } else {
        sent = latest
        yield encode(`data: ${JSON.stringify(sent)}\n\n`)
      }
    }
  }
  const respond = async (request: HttpRequest): Promise<HttpReply | null> => {
    const [path = '', query] = request.target.split('?')
    if (request.method !== 'GET' || !paths.includes(path)) return null
    if (!isOwnPage(request, host)) return errorReply(request, 'v2', foreign)
    if (path === eventsPath) return reply('text/event-stream', events())
    if (path === contentPath) {
      const view = contentView(workspaces, project)
      return reply('application/json', encode(JSON.stringify(view)))
    }
    const target = new URLSearchParams(query).get('target') ?? '/'
    const key = /^Bearer (.+)$/.exec(request.header('authorization') ?? '')?.[1] ?? null
    return reply('application/json', encode(await project.explain({ target, key })))
  }
  return {
    read: () => explorerPage('dev', workspaces),
    before: (handler) => async (request) => (await respond(request)) ?? handler(request),
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

const eventsPath = '/_quarry/events'
const contentPath = '/_quarry/content'
const paths = [eventsPath, contentPath, '/_quarry/explain']
const foreign = new ApiError(403, 'Only the page of this server may ask for this.')

/**
 * Only this server's own page may see drafts: neither other pages in the same browser, nor a page whose host name was
 * pointed here (DNS rebinding).
 */
function isOwnPage(request: HttpRequest, host: string): boolean {
  const site = request.header('sec-fetch-site') ?? 'same-origin'
  return isHere(request, host) && (site === 'same-origin' || site === 'none')
}

/** Omits the CORS headers, so that other pages cannot read the response. */
function reply(type: string, body: Uint8Array | AsyncIterable<Uint8Array>): HttpReply {
  return {
    status: 200,
    headers: [
      ['cache-control', 'no-store'],
      ['content-type', type],
      ['x-content-type-options', 'nosniff'],
    ],
    body,
    source: 'none',
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** The content of workspaces; cost: O(posts). */
export function contentView(
  workspaces: readonly Workspace[],
  { root, folder }: Pick<DevProject, 'root' | 'folder'>,
): ContentView {
  const place = (file: string) => join(folder, file).replaceAll('\\', '/')
  return {
    root: root.replaceAll('\\', '/'),
    workspaces: workspaces.map((workspace) => viewWorkspace(workspace, place)),
  }
}

function viewWorkspace(workspace: Workspace, place: (file: string) => string): ViewedWorkspace {
  const { id, name, isV1Private, categories, tags, authors } = workspace
  const posts = workspace.posts.map(({ post, body }) => ({
    title: post.title,
    isDraft: false,
    slug: post.slug,
    publishedAt: post.publishedAt,
    category: post.category.name,
    file: place(body.file),
  }))
  const drafts = workspace.drafts.map((draft) => {
    return { ...draft, file: place(draft.file), isDraft: true, slug: null, category: null }
  })
  return {
    ...{ id, name, isV1Private },
    ...{ categories: categories.length, tags: tags.length, authors: authors.length },
    posts: [...drafts, ...posts],
  }
}
