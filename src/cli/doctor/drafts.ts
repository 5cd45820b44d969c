// Requests for the drafts of a build, by every name and spelling, and the texts that reveal a draft in a response.
import { documentKinds } from '../../api/documents.ts'
import { versionRoots } from '../../api/paths.ts'
import { postLink } from '../../api/post-link.ts'
import { resourceKinds } from '../../api/resources.ts'
import type { ServedSite } from '../../runtime/site.ts'
import type { ApiResponse, Asking } from './client.ts'
import { fileTargets, routeTargets } from './spellings.ts'

/** A draft of a build. */
export interface BuiltDraft {
  readonly workspace: string
  readonly id: string
  readonly slug: string
  readonly title: string
  /** Slug, id and aliases. */
  readonly names: readonly string[]
  /** Texts of responses with this draft. */
  readonly marks: readonly string[]
  /** False if a post of another workspace has the same id. */
  readonly isUnique: boolean
}

/** A request whose response must not show a draft. */
export interface DraftRequest extends Asking {
  readonly target: string
}

/** Returns the drafts of all workspaces; none if the build has no drafts. */
export async function draftsOf({ workspaces }: ServedSite): Promise<readonly BuiltDraft[]> {
  const found: BuiltDraft[] = []
  const opened = await Promise.all(
    [...workspaces].map(async ([id, served]) => [id, await served.openDrafts()] as const),
  )
  for (const [workspace, snapshot] of opened) {
    const template = snapshot.channel?.postLink
    for (const ordinal of snapshot.drafts) {
      const post = await snapshot.post(ordinal)
      const { id, slug, title } = post
      const aliases = snapshot.aliases().flatMap(({ from, to }) => (to === slug ? [from] : []))
      const link = template === undefined ? '' : postLink(template, { ...post, workspace })
      const start = `"id":${JSON.stringify(id)}`
      // The start of a post, alone and in a category's list; and the target of an alias.
      const json = [
        `${start},"slug":${JSON.stringify(slug)}`,
        `${start},"title":${JSON.stringify(title)}`,
        `"to":${JSON.stringify(slug)}`,
      ]
      const marks = [
        ...json.flatMap((text) => [text, embedded(text)]),
        ...(link === '' ? [] : [`${link}<`, `${link}"`, `${link})`]),
      ]
      const names = [...new Set([slug, id, ...aliases])]
      const isUnique = opened.every(([of, { findPost }]) => of === workspace || findPost(id) === -1)
      found.push({ workspace, id, slug, title, names, marks, isUnique })
    }
  }
  return found
}

/** Escapes text as in a JSON string, such as the results of MCP tools. */
function embedded(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Reports whether a response contains the draft, or redirects from another name to it. */
export function showsDraft(
  { slug, marks }: BuiltDraft,
  target: string,
  reply: ApiResponse,
): boolean {
  const name = `/${encodeURIComponent(slug)}`
  const location = reply.header('location') ?? ''
  const isLed = location.includes(name) && !decoded(target).includes(slug)
  return isLed || (reply.status < 300 && marks.some((mark) => reply.text.includes(mark)))
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

const statuses = ['status=draft', 'status=all', 'status=published']

/**
 * Yields requests for one draft, without body and headers, except those of MCP.
 *
 * @param isStatused also yields requests that only a key with the scope may send
 */
export function* draftRequests(draft: BuiltDraft, isStatused: boolean): Generator<DraftRequest> {
  const { workspace, slug, id, title, names } = draft
  const roots = rootsOf(workspace)
  const queries = ['', ...(isStatused ? statuses : [])]
  for (const name of names) {
    for (const target of roots.map((root) => `${root}/posts/${encodeURIComponent(name)}`)) {
      const spelled = routeTargets(isStatused ? `${target}?status=all` : target)
      const plain = [...queries, 'format=markdown&include=neighbours,related'].map((query) =>
        withQuery(target, query),
      )
      for (const each of [...spelled, ...plain]) yield { target: each }
    }
    yield* agentRequests('get_post', { workspace, identifier: name }, isStatused)
  }
  const filters = { slugs: slug, ids: id, query: title }
  for (const [name, value] of Object.entries(filters)) {
    const lists = roots.map((root) => `${root}/posts?${name}=${encodeURIComponent(value)}`)
    for (const target of lists.flatMap((list) => queries.map((query) => withQuery(list, query))))
      yield { target }
    const tool = name === 'query' ? 'search_posts' : 'list_posts'
    yield* agentRequests(tool, { workspace, [name]: value }, isStatused)
  }
}

/** Returns paths under which a misconfigured host could serve a file with a draft. */
export function draftFileTargets({ workspace, names }: BuiltDraft): readonly string[] {
  const folders = Object.values(versionRoots).map((root) => `${root}/${workspace}/posts`)
  return folders.flatMap((folder) => names.flatMap((name) => fileTargets(`${folder}/${name}.json`)))
}

/** Yields requests for lists and documents of a workspace. */
export function* listRequests(workspace: string, isStatused: boolean): Generator<DraftRequest> {
  const queries = ['', ...(isStatused ? statuses : [])]
  for (const root of rootsOf(workspace)) {
    const lists = resourceKinds.map((kind) => `${root}/${kind}?include=posts&limit=100`)
    for (const target of [...lists, ...documentKinds.map((kind) => `${root}/${kind}`)])
      for (const query of queries) yield { target: withQuery(target, query) }
  }
  yield* agentRequests('list_posts', { workspace, limit: 100 }, isStatused)
}

/** Base paths of resources: v1, v2 and the vendor's SDK API. */
function rootsOf(workspace: string): readonly string[] {
  return [`/v1/${encodeURIComponent(workspace)}`, '/v2', '/v1']
}

const agentHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

function* agentRequests(
  name: string,
  given: Readonly<Record<string, unknown>>,
  isStatused: boolean,
): Generator<DraftRequest> {
  for (const more of [{}, ...(isStatused ? [{ status: 'draft' }, { status: 'all' }] : [])]) {
    const params = { name, arguments: { ...given, ...more } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    yield { target: '/mcp', method: 'POST', headers: agentHeaders, body }
  }
}

function withQuery(target: string, query: string): string {
  if (query === '') return target
  return `${target}${target.includes('?') ? '&' : '?'}${query}`
}
