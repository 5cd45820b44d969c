// Names that fields suggest and that the palette finds. They are requested from the API.

import type { ReferenceContext } from './reference.ts'
import type { Values } from './request.ts'

/** A resource in a list. */
export interface Listed {
  readonly slug: string
  /** Only for posts and items. */
  readonly title?: string
  /** Only for authors and terms. */
  readonly name?: string
}

type SuggestionContext = Pick<ReferenceContext, 'workspaces' | 'keys' | 'send' | 'canSearch'>

const termKinds: readonly string[] = ['categories', 'tags', 'authors']

/** Suggests ids of workspaces, and resources in them: the first hundred of a kind, or those that contain a text. */
export class Suggestions {
  readonly #context: SuggestionContext
  readonly #known = new Map<string, Promise<readonly Listed[]>>()

  constructor(context: SuggestionContext) {
    this.#context = context
  }

  /** Returns slugs or ids; empty if there are none, or if they are private. */
  async names(of: string, version: string, values: Values): Promise<readonly string[]> {
    if (of === 'workspaces') return this.#context.workspaces()
    return (await this.#list(of, version, values)).map(({ slug }) => slug)
  }

  /** Returns the first five of a kind that contain a text. Terms, and hosts without search, match only by name. */
  async search(
    of: string,
    version: string,
    values: Values,
    text: string,
  ): Promise<readonly Listed[]> {
    const isAsked = this.#context.canSearch && !termKinds.includes(of)
    const query = isAsked ? `&match=words&query=${encodeURIComponent(text)}` : ''
    const all = await this.#list(of, version, values, query)
    const words = text.toLowerCase().split(/\s+/)
    const holds = ({ slug, title, name }: Listed) =>
      words.every((word) => `${slug} ${title ?? name}`.toLowerCase().includes(word))
    return (isAsked ? all : all.filter(holds)).slice(0, 5)
  }

  /** Removes all known names, because the content has changed. */
  forget(): void {
    this.#known.clear()
  }

  #list(of: string, version: string, { workspaceId = '' }: Values, query = '') {
    const key = version === 'v1' ? null : this.#context.keys.key
    if ((key ?? workspaceId) === '') return Promise.resolve([])
    const base = version === 'v1' ? `/v1/${encodeURIComponent(workspaceId)}` : '/v2'
    const content = termKinds.includes(of) ? '' : '&excludeContent=true'
    const path = `${base}/${of}?limit=100${content}${query}`
    const mark = `${key ?? ''} ${path}`
    const known = this.#known.get(mark) ?? this.#read(path, key, of)
    this.#known.set(mark, known)
    return known
  }

  async #read(path: string, key: string | null, of: string): Promise<readonly Listed[]> {
    const { json } = await this.#context.send(path, key).catch(() => ({ json: null }))
    const list = typeof json === 'object' && json !== null ? Object.entries(json) : []
    const [, items] = list.find(([name]) => name === of || name === 'items') ?? []
    return Array.isArray(items) ? items : []
  }
}
