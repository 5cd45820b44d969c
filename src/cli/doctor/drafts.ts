// Requests for the drafts of a build, by every name and every spelling, and the texts that show a draft in a response.
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
  /** False where a post of another workspace has the same id. */
  readonly isUnique: boolean
}

/** A request that must not show a draft. */
export interface DraftRequest extends Asking {
  readonly target: string
}

/** The drafts of all workspaces; none of a build without drafts. */
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
      // The start of a post, and of a post that a category lists; the target of an alias.
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

/** The text in a text of JSON, as results of agents' tools are. */
function embedded(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** True where a response has the draft, or leads from another name to it. */
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
 * Requests for one draft, without a body or a header of their own but for those of agents.
 *
 * @param isStatused also requests that a key with the scope may send
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

/** Paths under which a file with a draft could be shown by mistake. */
export function draftFileTargets({ workspace, names }: BuiltDraft): readonly string[] {
  const folders = Object.values(versionRoots).map((root) => `${root}/${workspace}/posts`)
  return folders.flatMap((folder) => names.flatMap((name) => fileTargets(`${folder}/${name}.json`)))
}

/** Requests for lists and documents of a workspace, which name many posts. */
export function* listRequests(workspace: string, isStatused: boolean): Generator<DraftRequest> {
  const queries = ['', ...(isStatused ? statuses : [])]
  for (const root of rootsOf(workspace)) {
    const lists = resourceKinds.map((kind) => `${root}/${kind}?include=posts&limit=100`)
    for (const target of [...lists, ...documentKinds.map((kind) => `${root}/${kind}`)])
      for (const query of queries) yield { target: withQuery(target, query) }
  }
  yield* agentRequests('list_posts', { workspace, limit: 100 }, isStatused)
}

/** Where resources are: v1, v2 and the paths of the vendor's SDKs. */
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
