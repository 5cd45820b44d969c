// Requests for every private file and every draft of a build, in every spelling that a host might accept.
import { documentKinds } from '../../api/documents.ts'
import { requestOfFile, versionRoots } from '../../api/paths.ts'
import { postLink } from '../../api/post-link.ts'
import { defaultParameters } from '../../api/request.ts'
import { resourceKinds } from '../../api/resources.ts'
import type { Manifest } from '../../emit/manifest.ts'
import type { ApiKey } from '../../runtime/keys.ts'
import type { ServedSite } from '../../runtime/site.ts'
import type { ApiResponse, Asking } from './client.ts'

/** A request, whose response must have no private content. */
export interface Attempt extends Asking {
  readonly asker: string
  isLeak(response: ApiResponse): boolean
}

/** A draft, its names, and the texts that reveal it in a response. */
export interface BuiltDraft
  extends Readonly<Record<'workspace' | 'id' | 'slug' | 'title', string>> {
  readonly names: readonly string[]
  readonly marks: readonly string[]
  /** False if a post of another workspace has the same id. */
  readonly isUnique: boolean
}

/** Deployment files that contain more than one response. */
const wholes = ['manifest.json', 'deployment.json', 'files.json', 'wrangler.jsonc', 'index.bin']

/** Yields the requests of a probe. @param secret the key in clear, which `key` describes */
export function* attempts(
  { files }: Pick<Manifest, 'files'>,
  paths: readonly string[],
  drafts: readonly BuiltDraft[],
  key: ApiKey | null,
  secret: string | null,
): Generator<Attempt> {
  const headers = { authorization: `Bearer ${secret}` }
  const foreign = { asker: "another workspace's key", headers }
  const draftPaths = drafts.flatMap(({ workspace, names }) =>
    Object.values(versionRoots).flatMap((root) =>
      names.map((name) => `${root}/${workspace}/posts/${name}.json`),
    ),
  )
  for (const path of [...paths, ...wholes, ...wholes.map((name) => `${name}.0`), ...draftPaths]) {
    const [target, workspace] = routeOf(path)
    const routes = target === undefined ? [] : spellings(target)
    for (const each of [...fileTargets(path), ...routes])
      yield { target: each, asker: 'no key', isLeak: hasContent }
    if (key === null || workspace === undefined || workspace === key.workspace) continue
    for (const each of fileTargets(path)) yield { ...foreign, target: each, isLeak: hasContent }
    // Both workspaces may have the same path, even with the same bytes.
    const own = files.get(path.replace(`/${workspace}/`, `/${key.workspace}/`))?.sha256
    const sha256 = files.get(path)?.sha256
    const isLeak = (response: ApiResponse) => response.sha256 === sha256 && sha256 !== own
    for (const each of routes) yield { ...foreign, target: each, isLeak }
  }
  yield* draftAttempts(drafts, { asker: 'no key' })
  if (key === null) return
  const own = drafts.filter(({ workspace }) => workspace === key.workspace)
  const others = drafts.filter((draft) => draft.workspace !== key.workspace && draft.isUnique)
  yield* draftAttempts(
    own,
    { asker: "its workspace's key", headers },
    key.scopes.includes('drafts:read'),
  )
  yield* draftAttempts(others, foreign)
}

function hasContent({ status }: ApiResponse): boolean {
  return status >= 200 && status < 300 && status !== 204
}

/** Returns the v2 request of a response file, and its workspace. */
function routeOf(path: string): readonly [target?: string, workspace?: string] {
  const request = requestOfFile(path)
  if (request === null) return []
  const { resource, identifier, parameters, workspace } = request
  const defaults: Readonly<Record<string, unknown>> = { ...defaultParameters }
  const changed = Object.entries(parameters).filter(
    ([name, value]) => String(value) !== String(defaults[name]),
  )
  const query = changed.map(([name, value]) => `${name}=${value}`).join('&')
  const place = identifier === null ? '' : `/${encodeURIComponent(identifier)}`
  return [`/v2/${resource}${place}${query && `?${query}`}`, workspace]
}

/** Yields requests that may be answered, without drafts. @param readsDrafts omits those that may show drafts */
function* draftAttempts(
  drafts: readonly BuiltDraft[],
  sender: Pick<Attempt, 'asker' | 'headers'>,
  readsDrafts = false,
): Generator<Attempt> {
  const workspaces = new Set(drafts.map(({ workspace }) => workspace))
  const groups = [
    ...drafts.map((draft) => [draftRequests(draft), [draft]] as const),
    ...Array.from(
      workspaces,
      (id) => [listRequests(id), drafts.filter(({ workspace }) => workspace === id)] as const,
    ),
  ]
  for (const [requests, hidden] of groups)
    for (const { target, body, ...request } of requests)
      if (!readsDrafts || !/\bstatus\b/.test(`${target}${body}`))
        yield {
          ...{
            ...sender,
            ...request,
            target,
            body,
            headers: { ...sender.headers, ...request.headers },
          },
          isLeak: (response) => hidden.some((draft) => showsDraft(draft, target, response)),
        }
}

const statuses = ['', '&status=draft', '&status=all', '&status=published']

function draftRequests({ workspace, names, slug, id, title }: BuiltDraft): readonly Asking[] {
  const filters = { slugs: slug, ids: id, query: title }
  const targets = rootsOf(workspace).flatMap((root) => [
    ...Object.entries(filters).flatMap(([name, value]) =>
      statuses.map((status) => `${root}/posts?${name}=${encodeURIComponent(value)}${status}`),
    ),
    ...names
      .map((name) => `${root}/posts/${encodeURIComponent(name)}`)
      .flatMap((target) => [
        ...spellings(target),
        ...spellings(`${target}?status=all`),
        ...statuses.map(
          (status) => `${target}?format=markdown&include=neighbours,related${status}`,
        ),
        ...statuses.map((status) => `${target}?${status.slice(1)}`),
      ]),
  ])
  const calls = names.flatMap((identifier) => agentCalls('get_post', { workspace, identifier }))
  const searches = Object.entries(filters).flatMap(([name, value]) =>
    agentCalls(name === 'query' ? 'search_posts' : 'list_posts', { workspace, [name]: value }),
  )
  return [...targets.map((target) => ({ target })), ...calls, ...searches]
}

function listRequests(workspace: string): readonly Asking[] {
  const lists = [
    ...resourceKinds.map((kind) => `${kind}?include=posts&limit=100`),
    ...documentKinds.map((kind) => `${kind}?`),
  ]
  const targets = rootsOf(workspace).flatMap((root) =>
    lists.flatMap((list) =>
      statuses.map((status) => `${root}/${list}${status}`.replace(/\?$/, '')),
    ),
  )
  return [
    ...targets.map((target) => ({ target })),
    ...agentCalls('list_posts', { workspace, limit: 100 }),
  ]
}

/** Base paths of resources: v1, v2 and the SDK API. */
function rootsOf(workspace: string): readonly string[] {
  return [`/v1/${encodeURIComponent(workspace)}`, '/v2', '/v1']
}

function agentCalls(name: string, given: object): readonly Asking[] {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  return [{}, { status: 'draft' }, { status: 'all' }].map((status) => {
    const params = { name, arguments: { ...given, ...status } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    return { target: '/mcp', method: 'POST', headers, body }
  })
}

/** Reports whether a response contains the draft, or redirects from another name to it. */
function showsDraft({ slug, marks }: BuiltDraft, target: string, reply: ApiResponse): boolean {
  const name = encodeURIComponent(slug)
  const isLed = reply.header('location').includes(`/${name}`) && !target.includes(name)
  return isLed || (reply.status < 300 && marks.some((mark) => reply.text.includes(mark)))
}

/** Returns the drafts of all workspaces; none if the build has no drafts. */
export async function draftsOf({ workspaces }: ServedSite): Promise<readonly BuiltDraft[]> {
  const opened = await Promise.all(
    Array.from(workspaces, async ([id, served]) => [id, await served.openDrafts()] as const),
  )
  const found = opened.flatMap(([workspace, snapshot]) =>
    Array.from(snapshot.drafts, async (ordinal) => {
      const post = await snapshot.post(ordinal)
      const { id, slug, title } = post
      const aliases = snapshot.aliases().flatMap(({ from, to }) => (to === slug ? [from] : []))
      const template = snapshot.channel?.postLink
      const link = template && postLink(template, { ...post, workspace })
      const [quotedId, quotedSlug, quotedTitle] = [id, slug, title].map((text) =>
        JSON.stringify(text),
      )
      // A post begins with its id; a category's list has titles; redirects name the slug.
      const json = [
        `"id":${quotedId},"slug":${quotedSlug}`,
        `"id":${quotedId},"title":${quotedTitle}`,
        `"to":${quotedSlug}`,
      ]
      const embedded = json.map((text) => JSON.stringify(text).slice(1, -1))
      const marks = [...json, ...embedded, ...(link ? [`${link}<`, `${link}"`, `${link})`] : [])]
      const isUnique = opened.every(([of, { findPost }]) => of === workspace || findPost(id) === -1)
      return {
        workspace,
        id,
        slug,
        title,
        names: [...new Set([slug, id, ...aliases])],
        marks,
        isUnique,
      }
    }),
  )
  return Promise.all(found)
}

/** Returns targets under which a host could serve a file of the output folder by mistake; unique. */
export function fileTargets(path: string): readonly string[] {
  const segments = path.split('/').map(encodeURIComponent)
  const roots = ['', '/dist', '/public', '/static', '/assets']
  const plain = roots.map((root) => `${root}/${segments.join('/')}`)
  if (segments.length === 1) return [...spellings(`/${path}`), ...plain.slice(1)]
  // The path if `private` is the root of the host, or was copied over `public`.
  plain.push(`/${segments.slice(1).join('/')}`)
  return [...new Set(plain.flatMap(spellings))]
}

/** Returns a target in every spelling; unique. */
export function spellings(target: string): readonly string[] {
  const [, first = '', ...rest] = target.split('/')
  const tail = rest.join('/')
  const last = rest.at(-1) ?? ''
  const hidden = encodeAll(first)
  const all = [
    ...'|/|.|.json|%20|%00|%00.json|;a=b|?|?page=1|#x|~|/.'
      .split('|')
      .map((end) => `${target}${end}`),
    ...['%2f', '%252f', '//', '\\', '%5c', '/./'].map((slash) => `/${first}${slash}${tail}`),
    ...['/', '/.', '/v1/..', '/v1/%2e%2e', '/v1/acme/posts/..;/../../..'].map(
      (start) => `${start}${target}`,
    ),
    ...[hidden, hidden.replaceAll('%', '%25'), first.toUpperCase()].map(
      (name) => `/${name}/${tail}`,
    ),
    ...[`/v1/.%2e/${first}/x/..%2f${tail}`, `/v1/..%2f${first}/${tail}`],
    `${target.slice(0, target.length - last.length)}${encodeAll(last)}`,
  ]
  return [...new Set(all)]
}

function encodeAll(text: string): string {
  return Buffer.from(decodeURIComponent(text)).toString('hex').replace(/../g, '%$&')
}
