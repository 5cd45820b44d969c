// The layer before the handler of `quarry dev`: the stream that tells pages of builds, and the content as its author
// sees it, drafts too.
import { isIP } from 'node:net'
import { ApiError } from '../../api/errors.ts'
import { contentView } from '../../explorer/content-view.ts'
import { explorerPage } from '../../explorer/page.ts'
import type { DevEvent } from '../../explorer/page-data.ts'
import type { Workspace } from '../../model/library.ts'
import type { HttpReply, HttpRequest } from '../../runtime/http.ts'
import { errorReply } from '../../runtime/replies.ts'
import type { Responder } from '../../runtime/responder.ts'

/** The page of `quarry dev` and its events. */
export interface DevPage {
  /** The page itself. */
  readonly read: () => Uint8Array
  /** Answers what the page alone asks for, and hands everything else on. */
  before(handler: Responder): Responder
  /**
   * Tells every open page, and those that are opened later.
   *
   * @param workspaces the content of this build; without it the last one stays
   */
  send(event: DevEvent, workspaces?: readonly Workspace[]): void
  /** Ends all streams, so that a server can close. */
  close(): void
}

/** Between two signs of life, in milliseconds: well below the time after which a silent reader is cut off. */
export const aliveMilliseconds = 10_000

/** The project of a page, as its author works on it. */
export interface DevProject {
  /** The working folder, absolute. */
  readonly root: string
  /** The content folder below `root`. */
  readonly folder: string
  /** The JSON of an explanation of a request. */
  readonly explain: (request: {
    readonly target: string
    readonly key: string | null
  }) => Promise<string>
}

/** A page without events yet. @param host the server listens on it */
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

/** Sends the last event to every listener: a slow one misses events between. */
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

  /** Server-sent events: the last one at once, then each as it comes. */
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

  /** Resolves with the next event, and now and then without one. */
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
 * Drafts are for the page of this server: not for other pages in the same browser, nor for those whose name
 * was made to lead here.
 */
function isOwnPage(request: HttpRequest, host: string): boolean {
  const site = request.header('sec-fetch-site') ?? 'same-origin'
  const name = (request.header('host') ?? '').replace(/:\d+$/, '').toLowerCase()
  const isHere =
    isIP(name.replace(/^\[|\]$/g, '')) !== 0 ||
    name === host.toLowerCase() ||
    /(^|\.)localhost$/.test(name)
  return isHere && (site === 'same-origin' || site === 'none')
}

/** Without the headers that would let other pages read it. */
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
