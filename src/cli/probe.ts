// The probe of `quarry doctor`: requests for private files and drafts, in every spelling that a host might accept. The
// build itself says what each of them may reveal.
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { documentKinds } from '../api/documents.ts'
import { versionRoots } from '../api/paths.ts'
import { resourceKinds } from '../api/resources.ts'
import type { Manifest } from '../build/manifest.ts'
import type { Keyring } from '../runtime/keys.ts'
import { createResponder } from '../runtime/responder.ts'
import type { ServedSite } from '../runtime/site.ts'

/** A request. @default method 'GET' */
export interface Asking {
  readonly target: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A whole response: the SHA-256 of the body is hexadecimal, and an absent header is ''. */
export interface Answer {
  readonly status: number
  readonly body: Buffer
  readonly sha256: string
  header(name: string): string
}

/** Returns an answer from its parts. */
export function answerOf(status: number, body: Buffer, header: Answer['header']): Answer {
  return { status, body, sha256: createHash('sha256').update(body).digest('hex'), header }
}

/** Sends a request. */
export type Send = (asking: Asking) => Promise<Answer>

/** Sends a request, and follows redirects: the content of their target counts. */
export async function follow(send: Send, asking: Asking): Promise<Answer> {
  let answer = await send(asking)
  for (let hops = 0; hops < 3; hops++) {
    const location = answer.header('location')
    if (answer.status < 300 || answer.status > 308 || !location.startsWith('/')) break
    // One leading slash, and no byte that HTTP forbids.
    const target = `/${location.replace(/^\/+/, '')}`.replace(/[^!-~]/gu, encodeURIComponent)
    answer = await send({ ...asking, target })
  }
  return answer
}

/**
 * Returns the judge of answers. A leak has content that is neither a public file, nor a file of the key's workspace, nor
 * what the build itself responds.
 *
 * @param own the workspace of the key
 * @param isSameBuild false if the deployment has another build, whose responses may differ
 */
export function createJudge(
  { files }: Pick<Manifest, 'files'>,
  site: ServedSite,
  {
    keyring,
    own,
    isSameBuild,
  }: Readonly<{ keyring: Keyring; own: string | undefined; isSameBuild: boolean }>,
): (asking: Asking, answer: Answer) => Promise<boolean> {
  const respond = createResponder(() => site, { keyring: () => keyring })
  const local: Send = async ({ target, method = 'GET', headers = {} }) => {
    const header = (name: string) => headers[name] ?? null
    const { status, ...reply } = await respond({ target, method, clientAddress: '', header })
    const [known, body] = [new Map(reply.headers), reply.body ?? []]
    const bytes = body instanceof Uint8Array ? Buffer.from(body) : await buffer(body as Iterable)
    return answerOf(status, bytes, (name) => known.get(name) ?? '')
  }
  const readable = new Set<string>()
  for (const [path, { sha256 }] of files)
    if (path.startsWith('public/') || path.startsWith(`${versionRoots.v2}/${own}/`))
      readable.add(sha256)
  const hasContent = ({ status }: Answer) => status >= 200 && status < 300 && status !== 204
  return async (asking, answer) => {
    if (!hasContent(answer) || readable.has(answer.sha256)) return false
    const expected = await follow(local, asking)
    return !hasContent(expected) || (isSameBuild && answer.sha256 !== expected.sha256)
  }
}

type Iterable = AsyncIterable<Uint8Array>

/** A draft: its workspace, title, and names. */
export interface BuiltDraft
  extends Readonly<Record<'workspace' | 'id' | 'slug' | 'title', string>> {
  readonly names: readonly string[]
}

/** Returns the drafts of all workspaces; none if the build has no drafts. */
export async function draftsOf({ workspaces }: ServedSite): Promise<readonly BuiltDraft[]> {
  const found: BuiltDraft[] = []
  for (const [workspace, served] of workspaces) {
    const snapshot = await served.openDrafts()
    for (const ordinal of snapshot.drafts) {
      const { id, slug, title } = await snapshot.post(ordinal)
      const aliases = snapshot.aliases().flatMap(({ from, to }) => (to === slug ? [from] : []))
      found.push({ workspace, id, slug, title, names: [...new Set([slug, id, ...aliases])] })
    }
  }
  return found
}

/** Deployment files that contain more than one response. */
const wholes = ['manifest.json', 'deployment.json', 'wrangler.jsonc', 'root.json']
const statuses = ['', '&status=draft', '&status=all', '&status=published']

/** Returns the targets of a probe for private files and drafts; unique. */
export function targetsOf(
  paths: readonly string[],
  drafts: readonly BuiltDraft[],
): readonly string[] {
  const files = [...paths, ...wholes, ...wholes.map((name) => `${name}.0`)]
  return [...new Set([...files.flatMap(fileTargets), ...drafts.flatMap(draftTargets)])]
}

/** Returns targets under which a host could serve a file of the output folder by mistake. */
function fileTargets(path: string): readonly string[] {
  const segments = path.split('/').map(encodeURIComponent)
  const roots = ['', '/dist', '/public', '/static', '/assets']
  const plain = roots.map((root) => `${root}/${segments.join('/')}`)
  if (segments.length === 1) return [...spellings(`/${path}`), ...plain.slice(1)]
  // The path if `private` is the root of the host, or was copied over `public`; and the request that has the file.
  const inside = `/${segments.slice(1).join('/')}`
  const route = inside.replace(/^(\/v\d)\/[^/]+/, '$1').replace(/(?:\/index)?\.json$/, '')
  return [...plain, inside, route].flatMap(spellings)
}

function draftTargets({ workspace, slug, id, title, names }: BuiltDraft): readonly string[] {
  const lists = [
    ...Object.entries({ slugs: slug, ids: id, query: title }).map(
      ([name, value]) => `posts?${name}=${encodeURIComponent(value)}`,
    ),
    ...resourceKinds.map((kind) => `${kind}?include=posts&limit=100`),
  ]
  // v1, v2 and the SDK API.
  const requests = [`/v1/${encodeURIComponent(workspace)}`, '/v2', '/v1'].flatMap((root) => [
    ...lists.flatMap((list) => statuses.map((status) => `${root}/${list}${status}`)),
    ...documentKinds.map((kind) => `${root}/${kind}`),
    ...names.flatMap((name) => {
      const target = `${root}/posts/${encodeURIComponent(name)}`
      const rich = `${target}?format=markdown&include=neighbours,related`
      const asked = statuses.flatMap((status) => [rich + status, `${target}?${status.slice(1)}`])
      return [...spellings(target), ...spellings(`${target}?status=all`), ...asked]
    }),
  ])
  const files = Object.values(versionRoots).flatMap((root) =>
    names.flatMap((name) => fileTargets(`${root}/${workspace}/posts/${name}.json`)),
  )
  return [...requests, ...files]
}

/** Returns a target in every spelling. */
function spellings(target: string): readonly string[] {
  const [, first = '', ...rest] = target.split('/')
  const [tail, last] = [rest.join('/'), rest.at(-1) ?? '']
  const hidden = encodeAll(first)
  const ends = '|/|.|.json|%20|%00|%00.json|;a=b|?|?page=1|#x|~|/.'.split('|')
  const slashes = ['%2f', '%252f', '//', '\\', '%5c', '/./']
  const starts = ['/', '/.', '/v1/..', '/v1/%2e%2e', '/v1/acme/posts/..;/../../..']
  const firsts = [hidden, hidden.replaceAll('%', '%25'), first.toUpperCase()]
  return [
    ...ends.map((end) => `${target}${end}`),
    ...slashes.map((slash) => `/${first}${slash}${tail}`),
    ...starts.map((start) => `${start}${target}`),
    ...firsts.map((name) => `/${name}/${tail}`),
    ...[`/v1/.%2e/${first}/x/..%2f${tail}`, `/v1/..%2f${first}/${tail}`],
    `${target.slice(0, target.length - last.length)}${encodeAll(last)}`,
  ]
}

function encodeAll(text: string): string {
  return Buffer.from(decodeURIComponent(text)).toString('hex').replace(/../g, '%$&')
}
