// The layer in front of the handler of `quarry dev`: server-sent events about builds, and the content including
// drafts.

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
export const aliveMilliseconds = 10_000

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
  const news = new News()
  let workspaces: readonly Workspace[] = []
  const response = async (request: HttpRequest): Promise<HttpReply | null> => {
    const [path = '', query] = request.target.split('?')
    if (request.method !== 'GET' || !paths.includes(path)) return null
    if (!isOwnPage(request, host)) return errorReply(request, 'v2', foreign)
    if (path === eventsPath) return reply('text/event-stream', news.stream())
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
    before: (handler) => async (request) => (await response(request)) ?? handler(request),
    send: (event, content) => {
      workspaces = content ?? workspaces
      news.send(event)
    },
    close: () => news.close(),
  }
}

const eventsPath = '/_quarry/events'
const contentPath = '/_quarry/content'
const explainPath = '/_quarry/explain'
const paths = [eventsPath, contentPath, explainPath]
const foreign = new ApiError(403, 'Only the page of this server may ask for this.')

/** Publishes the latest event to every listener; slow listeners miss events in between. */
class News {
  #event: DevEvent | null = null
  #isClosed = false
  readonly #waiting = new Set<() => void>()

  send(event: DevEvent): void {
    this.#event = event
    this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  /** Streams server-sent events: the latest at once, then each new one. */
  async *stream(): AsyncGenerator<Uint8Array> {
    let sent: DevEvent | null = null
    while (!this.#isClosed) {
      if (this.#event === sent) {
        await this.#next()
        if (this.#event === sent && !this.#isClosed) yield encode(': still here\n\n')
      } else {
        sent = this.#event
        yield encode(`data: ${JSON.stringify(sent)}\n\n`)
      }
    }
  }

  /** Resolves with the next event, or after the keep-alive interval. */
  #next(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, aliveMilliseconds)
      this.#waiting.add(wake)
    })
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}

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

/**
 * The content of workspaces; cost: O(posts).
 *
 * @param place the working folder, absolute, and the content folder below it
 */
export function contentView(
  workspaces: readonly Workspace[],
  { root, folder }: { readonly root: string; readonly folder: string },
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
  const drafts = workspace.drafts.map((draft) => ({
    ...draft,
    file: place(draft.file),
    isDraft: true,
    slug: null,
    category: null,
  }))
  return {
    id,
    name,
    isV1Private,
    categories: categories.length,
    tags: tags.length,
    authors: authors.length,
    posts: [...drafts, ...posts],
  }
}
