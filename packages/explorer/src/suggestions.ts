// Names that fields suggest: asked of the service itself, once for each workspace and kind.

import type { Values } from './request.ts'
import type { Send } from './send.ts'

/** Suggests ids of workspaces, and slugs of what they hold: the first hundred of a kind. */
export class Suggestions {
  readonly #workspaces: () => readonly string[]
  readonly #key: () => string
  readonly #send: Send
  readonly #known = new Map<string, Promise<readonly string[]>>()

  constructor(workspaces: () => readonly string[], key: () => string, send: Send) {
    this.#workspaces = workspaces
    this.#key = key
    this.#send = send
  }

  /** @returns empty when there are none, or they are private */
  names(of: string, version: string, { workspaceId = '' }: Values): Promise<readonly string[]> {
    if (of === 'workspaces') return Promise.resolve(this.#workspaces())
    const key = version === 'v1' ? null : this.#key()
    if ((key ?? workspaceId) === '') return Promise.resolve([])
    const base = version === 'v1' ? `/v1/${encodeURIComponent(workspaceId)}` : '/v2'
    const path = `${base}/${of}?limit=100${of === 'posts' ? '&excludeContent=true' : ''}`
    const mark = `${key ?? ''} ${path}`
    const known = this.#known.get(mark) ?? this.#slugsOf(path, key, of)
    this.#known.set(mark, known)
    return known
  }

  /** The content has changed. */
  forget(): void {
    this.#known.clear()
  }

  async #slugsOf(path: string, key: string | null, of: string): Promise<readonly string[]> {
    const { json } = await this.#send(path, key).catch(() => ({ json: null }))
    const list = typeof json === 'object' && json !== null ? Object.entries(json) : []
    const [, items] = list.find(([name]) => name === of) ?? []
    return Array.isArray(items) ? items.map(({ slug }: { slug: string }) => slug) : []
  }
}
