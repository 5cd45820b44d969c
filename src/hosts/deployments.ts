// The deployments by host name, and their files. Only `servedFiles` decides which files a host serves without the
// function.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentKinds, documentTable, isDocumentKind, isFeedKind } from '../api/documents.ts'
import { ApiError, errorJson } from '../api/errors.ts'
import { downloadPathPattern, downloadType, imagePathPattern, imageTypes } from '../api/media.ts'
import { defaultParameters } from '../api/parameters.ts'
import {
  browserFolder,
  browserPrograms,
  decidingParameters,
  filePath,
  isServedFile,
  mediaFolder,
  publicFolder,
  requestOfFile,
  versionRoots,
} from '../api/paths.ts'
import { type ApiRequest, formats, includesPosts, type Version } from '../api/request.ts'
import { redirectsJson } from '../api/respond.ts'
import { OutputError } from '../build/disk.ts'
import type { FileEntry, Manifest } from '../build/manifest.ts'
import type { HostName } from '../config/names.ts'
import { cacheControl, corsHeaders, type Header } from '../runtime/http.ts'
import { downloadHeader, imageCacheControl, imageHeaders } from './function.ts'

/** The deployment to a host. Paths are relative, with `/`. */
export interface HostDeployment {
  /** Output location, a sibling of the output folder. */
  readonly folder: string
  /** Path of the host's program; null for hosts without a function, which get all v1 responses as files. */
  readonly program: string | null
  /** Folder of the function's files, or of the v1 responses. */
  readonly data: string
  /** Folder of images, with the paths below `/media`; null if the host cannot serve images from the deployment. */
  readonly media: string | null
  /** Folder of v1 files that the host serves without the function. @default the function serves every response */
  readonly responses?: string
  /** True if the function has precomputed responses, which it reads instead of its index. */
  readonly hasStored?: boolean
  /**
   * Returns files that depend on the build, by path. Other files are in `examples/hosts`.
   *
   * @param aliases files under former slugs, for hosts without a function
   */
  readonly texts?: (manifest: Manifest, aliases: readonly DataFile[]) => Record<string, string>
  /** The limit of the host's largest plan. `bytes` is the size of the function. @default none */
  readonly limit?: {
    readonly unit: 'files' | 'bytes'
    readonly max: number
    readonly source: string
  }
  /** The deploy command, to be run next to the output folder. */
  readonly next: string
}

/** A file of a build that a deployment includes. */
export interface DataFile {
  /** Relative to the output folder. */
  readonly path: string
  /** Relative to the deployment's folder of data, or of images. */
  readonly name: string
  readonly entry: FileEntry
}

const workers = 'https://developers.cloudflare.com/workers/platform/limits/'
// Netlify's functions run on AWS Lambda.
const lambda = 'https://repost.aws/questions/QUt1Cc15fbTkWsVXPNmj6MNQ'
const vercel = 'https://vercel.com/docs/functions/limitations'

/** Every deployment. */
export const deployments: Readonly<Record<HostName, HostDeployment>> = {
  cloudflare: {
    folder: 'deploy/cloudflare',
    program: 'worker.js',
    data: 'assets',
    media: 'assets/media',
    hasStored: true,
    limit: { unit: 'files', max: 100_000, source: workers },
    next: 'npx wrangler deploy --config deploy/cloudflare/wrangler.jsonc --name NAME',
  },
  // Only images are published outside the function. Netlify's rules for files match a subset of the query, so
  // `?order=asc` would get the list of `?order=desc`. The function handles every path without a file (`preferStatic`).
  netlify: {
    folder: 'deploy/netlify',
    program: 'functions/quarry/handler.mjs',
    data: 'functions/quarry/function',
    media: 'public/media',
    hasStored: true,
    limit: { unit: 'bytes', max: 250 * 1024 ** 2, source: lambda },
    next: 'cd deploy/netlify && npx netlify deploy --prod',
  },
  // One function serves everything except images and canonical v1 requests.
  vercel: {
    folder: '.vercel/output',
    program: 'functions/index.func/index.js',
    data: 'functions/index.func/function',
    media: 'static/media',
    responses: 'static',
    texts: (manifest) => ({
      'config.json': jsonText({ version: 3, routes: vercelRoutes(manifest) }),
    }),
    limit: { unit: 'bytes', max: 5e9, source: vercel },
    next: 'npx vercel deploy --prebuilt --archive=tgz',
  },
  // The handler is `index.handler`, or `index.streaming` for a function URL with streaming. Images stay out of the zip:
  // its size is limited, and a buffered handler returns at most 4 MB of an image.
  'aws-lambda': {
    folder: 'deploy/aws-lambda',
    program: 'index.js',
    data: 'function',
    media: null,
    hasStored: true,
    limit: { unit: 'bytes', max: 250 * 1024 ** 2, source: lambda },
    next: 'cd deploy/aws-lambda && zip -qr ../aws-lambda.zip . && aws lambda update-function-code --function-name NAME --zip-file fileb://../aws-lambda.zip',
  },
  deno: {
    folder: 'deploy/deno',
    program: 'main.js',
    data: 'function',
    media: 'media',
    next: 'cd deploy/deno && deno deploy --prod',
  },
  bun: {
    folder: 'deploy/bun',
    program: 'main.js',
    data: 'function',
    media: 'media',
    next: 'cd deploy/bun && bun run start',
  },
  // This deployment is for GitHub Pages, S3 and other file servers.
  static: {
    folder: 'deploy/static',
    program: null,
    data: 'public',
    media: 'public/media',
    texts: staticTexts,
    next: 'upload the contents of deploy/static/public, including dotfiles',
  },
}

/** Returns the images of a build. Private workspaces have none. */
export function mediaFiles(manifest: Manifest): readonly DataFile[] {
  return filesBelow(mediaFolder, manifest)
}

/** Returns the public view and the functions for browsers, with their paths below the public folder. */
export function browserFiles(manifest: Manifest): readonly DataFile[] {
  const programs: readonly string[] = browserPrograms
  return filesBelow(publicFolder, manifest).filter(
    ({ path, name }) => path.startsWith(`${browserFolder}/`) || programs.includes(name),
  )
}

/** Returns the number of workspaces with v1 files: those that are not private. */
export function countOpen(manifest: Manifest): number {
  return new Set(responseFiles('v1', manifest).map(({ name }) => name.split('/')[1])).size
}

/** Returns all response files of a version, named `v1/…` or `v2/…`. */
export function responseFiles(version: Version, manifest: Manifest): readonly DataFile[] {
  const root = versionRoots[version]
  return filesBelow(root, manifest, root.indexOf('/'))
}

/**
 * Returns the response files of a version that stay valid until the next build. The function makes all other responses:
 * lists of a workspace with scheduled posts must change on time.
 */
export function servedFiles(version: Version, manifest: Manifest): readonly DataFile[] {
  return responseFiles(version, manifest).filter(({ path }) => {
    const request = requestOfFile(path)
    const workspace = manifest.workspaces[request?.workspace ?? '']
    // A Markdown file has no canonical request.
    if (request === null || workspace === undefined || path.endsWith('.md')) return false
    const { collections = {}, createsTerms } = workspace
    const late = Object.values(collections).filter(
      (each) => each.scheduled + (each.expiring ?? 0) > 0,
    )
    const isOfAll =
      request.resource === 'collections' || (request.resource === 'changes' && late.length > 0)
    const own = collections[request.collection ?? ''] ?? workspace
    const { scheduled, expiring = 0 } = isOfAll ? { scheduled: late.length } : own
    return isServedFile(request, { scheduled, expiring, createsTerms })
  })
}

/** Returns the response files that routes of a host can name. Items have none, as their orders differ by collection. */
export function routedFiles(manifest: Manifest): readonly DataFile[] {
  return servedFiles('v1', manifest).filter(({ path }) => requestOfFile(path)?.resource !== 'items')
}

/** @param cut length of the prefix that names omit, without the slash after it */
export function filesBelow(
  folder: string,
  { files }: Manifest,
  cut: number = folder.length,
): readonly DataFile[] {
  return [...files]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .map(([path, entry]) => ({ path, name: path.slice(cut + 1), entry }))
}

/** Formats JSON for a configuration file. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Reads a file of a build. @throws OutputError when the file belongs to another build */
export function readBuilt(out: string, { path, entry }: DataFile): Uint8Array {
  const from = join(out, path)
  const bytes = readFileSync(from)
  if (hash('sha256', bytes) === entry.sha256) return bytes
  throw new OutputError(`${from} has been replaced by another build. Run the command again.`)
}

function staticTexts(manifest: Manifest, aliases: readonly DataFile[]): Record<string, string> {
  const responses = [...responseFiles('v1', manifest), ...aliases].map(({ name }) => name)
  // A build omits the redirects of a workspace without aliases.
  const workspaces = new Set(responses.map((name) => name.split('/', 2).join('/')))
  const missing = [...workspaces]
    .map((workspace) => `${workspace}/redirects.json`)
    .filter((name) => !responses.includes(name))
  const images = mediaFiles(manifest).map(({ name }) => `media/${name}`)
  const others = [...browserFiles(manifest).map(({ name }) => name), '404.json', 'status.json']
  const objects = [...responses, ...missing, ...images, ...others]
    .map(objectOf)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  const notFound = errorJson('v1', new ApiError(404, 'There is no such file.'))
  return {
    // Without this file, GitHub Pages omits names that begin with `_`.
    'public/.nojekyll': '',
    // The response for every path without a file, under the names that hosts look for.
    'public/404.html': notFound,
    'public/404.json': notFound,
    'public/status.json': jsonText({ status: 'ok', build: manifest.build }),
    ...Object.fromEntries(missing.map((name) => [`public/${name}`, redirectsJson([])])),
    'objects.json': `${JSON.stringify(objects, null, 1)}\n`,
  }
}

/** The types of files, except images, by extension. */
const fileTypes: ReadonlyMap<string, string> = new Map([
  ['.md', 'text/markdown; charset=utf-8'],
  ['.js', 'text/javascript'],
  ['.bin', 'application/octet-stream'],
])

/**
 * Returns the object to upload for a file. The key of a response is its documented path without its leading `/`, not
 * percent-encoded: `v1/acme/posts/hello`; documents keep their file names. `file` is relative to the deployment's folder.
 */
function objectOf(name: string) {
  const { resource = '' } = requestOfFile(`${publicFolder}/${name}`) ?? {}
  const isKeyed = /^(?:v1\/|status\.)/.test(name) && !isFeedKind(resource)
  // Only file names of identifiers that would collide end in `_`.
  const path = name.replace(/(?:\/index)?\.json$/, '').replace(/_(?=\/|$)/, '')
  const ending = name.slice(name.lastIndexOf('.'))
  const isImage = name.startsWith('media/')
  const type = isImage ? (imageTypes.get(ending) ?? downloadType) : fileTypes.get(ending)
  const document = isDocumentKind(resource) ? documentTable[resource].contentType : undefined
  // Images and data are named by their content. Other cache times do not depend on scheduled posts, because only an
  // upload changes a bucket.
  const isLasting = isImage || name.startsWith('site/data/')
  return {
    key: isKeyed ? path : name,
    file: `public/${name}`,
    contentType: document ?? type ?? 'application/json',
    cacheControl: isLasting ? imageCacheControl : cacheControl('v1', Number.POSITIVE_INFINITY, 0),
  }
}

const downloadHeaders: readonly Header[] = [downloadHeader, ['content-type', downloadType]]

/**
 * Returns the v1 files that a host serves under aliases, one per format. `path` is the file of the post, `name` that of
 * the alias.
 *
 * @throws OutputError when another build has replaced that of the manifest
 */
export function aliasFiles(out: string, manifest: Manifest): readonly DataFile[] {
  const ofPosts = responseFiles('v1', manifest).flatMap((file) => {
    const { resource, workspace = '' } = requestOfFile(file.path) ?? {}
    if (resource !== 'redirects') return []
    const { redirects } = JSON.parse(Buffer.from(readBuilt(out, file)).toString()) as {
      readonly redirects: readonly { readonly from: string; readonly to: string }[]
    }
    return redirects.map((each) => ({ ...each, workspace, resource: 'posts' as const }))
  })
  const ofItems = Object.entries(manifest.workspaces).flatMap(([workspace, { collections = {} }]) =>
    Object.entries(collections).flatMap(([collection, { aliases = {} }]) => {
      const row = { workspace, resource: 'items', collection } as const
      return Object.entries(aliases).map(([from, to]) => ({ ...row, from, to }))
    }),
  )
  return [...ofPosts, ...ofItems].flatMap(({ from, to, ...row }) =>
    formats.flatMap((format) => {
      const parameters = { ...defaultParameters, format }
      const pathOf = (identifier: string) =>
        filePath({ ...row, version: 'v1', parameters, identifier }) ?? ''
      const path = pathOf(to)
      const entry = manifest.files.get(path)
      return entry ? [{ path, name: pathOf(from).slice(publicFolder.length + 1), entry }] : []
    }),
  )
}

/** Percent-encoded ASCII characters could be separators, so the function decodes them. */
const encoded = '%[89A-Fa-f][0-9A-Fa-f]'
const character = `(?:[^/%]|${encoded})`
/** No name begins with "." or "_", or ends with "_". */
const segment = `(?![._])${character}*(?:[^/%_]|${encoded})`
/** Identifiers whose file names get a `_`. */
const escapedStem = `(?:[Ii][Nn][Dd][Ee][Xx]|${character}+\\.[Jj][Ss][Oo][Nn])`

/**
 * All routes of a Build Output (version 3); the first match wins. Files are looked up only at the paths of canonical
 * requests and images; requests without a file go to the function. The headers apply to found files only (`hit`),
 * never to errors.
 */
function vercelRoutes(manifest: Manifest): readonly object[] {
  return [
    { src: '/.*', methods: ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'], dest: '/index' },
    ...functionParameters(manifest).map((key) => {
      // One route per parameter: Vercel allows at most 16 conditions in a route.
      return { src: '/v1/.*', has: [{ type: 'query', key }], dest: '/index' }
    }),
    ...responseRoutes(manifest),
    { src: `(?!${imagePathPattern}$)/.*`, dest: '/index' },
    { handle: 'filesystem' },
    { src: '/.*', dest: '/index' },
    { handle: 'hit' },
    { src: imagePathPattern, headers: Object.fromEntries(imageHeaders), continue: true },
    { src: downloadPathPattern, headers: Object.fromEntries(downloadHeaders), continue: true },
    { src: '/v1/.*', headers: fileHeaders(manifest), continue: true },
    ...documentKinds.flatMap(documentHeaders),
  ]
}

/**
 * Returns the headers of v1 files. Cache times are full, because no scheduled post can change a served file. As in the
 * function, there is no charset.
 */
function fileHeaders({ http = {} }: Manifest): Readonly<Record<string, string>> {
  const { cors: [origin] = ['*'] } = http
  const own = origin === undefined ? {} : { 'access-control-allow-origin': origin }
  const { 'access-control-allow-origin': _, ...others } = Object.fromEntries(corsHeaders)
  return {
    ...own,
    ...others,
    'cache-control': cacheControl('v1', Number.POSITIVE_INFINITY, 0, http.cacheControl),
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json',
  }
}

/** Returns the header with the type of a document that is not JSON. */
function documentHeaders(kind: (typeof documentKinds)[number]): readonly object[] {
  const { contentType, operation } = documentTable[kind]
  if (contentType === 'application/json') return []
  const name = kind.replaceAll('.', '\\.')
  const file = operation === 'sitemap' ? name.replace(/(?=\\\.)/, '(?:-[0-9]+)?') : name
  return [{ src: `/v1/[^/]+/${file}`, headers: { 'content-type': contentType }, continue: true }]
}

/**
 * The parameters that distinguish files: the default value ('' for none), and a regular expression for the numbers that
 * the path of a file contains. Requests with other spellings go to the function.
 */
const fileParameters = {
  include: [''],
  format: ['html'],
  order: ['desc'],
  excludeContent: ['false'],
  limit: ['10', '[1-9][0-9]?|100'],
  page: ['1', '[2-9]|[1-9][0-9]{1,14}'],
} as const

/** Returns the parameters with which a request has no file, including filters by custom fields. */
function functionParameters({ workspaces }: Manifest): readonly string[] {
  const fields = Object.values(workspaces).flatMap(({ fields = [] }) => fields)
  const names = decidingParameters.filter((name) => !Object.hasOwn(fileParameters, name))
  const hasLocales = Object.values(workspaces).some(({ locale }) => locale !== undefined)
  return [...names, ...(hasLocales ? ['locale'] : []), ...[...new Set(fields)].sort()]
}

/**
 * Returns one route per form of canonical requests, such as later pages of a list. If a file does not exist, Vercel
 * continues with later routes. Files whose names end in `_` must therefore come first.
 */
function responseRoutes(manifest: Manifest): readonly object[] {
  // A file has the same headers for every origin.
  if ((manifest.http?.cors?.length ?? 0) > 1) return []
  const routes = new Map<string, object>()
  for (const { path } of routedFiles(manifest)) {
    const request = requestOfFile(path)
    if (request === null) continue
    const { resource, identifier, parameters } = request
    const file = templateOf(request)
    // Posts without content are equal in every format.
    for (const format of parameters.excludeContent ? ['html', 'markdown'] : [parameters.format]) {
      const conditions = conditionsOf({ ...parameters, format } as ApiRequest['parameters'])
      const add = (order: number, name: string, stem: string) =>
        routes.set(`${order} ${resource} ${JSON.stringify(conditions)}`, {
          src: `^/v1/(${segment})/${resource.replaceAll('.', '\\.')}${name}$`,
          caseSensitive: true,
          methods: ['GET', 'HEAD'],
          ...conditions,
          dest: `/v1/$1/${file.replace('{name}', stem)}`,
          check: true,
        })
      if (identifier === null) add(3, '', '')
      else {
        add(1, `/((?![._])${escapedStem})`, '$2_')
        add(2, `/(?!${escapedStem}$)(${segment})`, '$2')
      }
    }
  }
  return [...routes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, route]) => route)
}

/** Returns the conditions on the query of a request that has a file. */
function conditionsOf(parameters: ApiRequest['parameters']): object {
  const has: object[] = []
  const missing: object[] = []
  for (const [key, [usual, numbers]] of Object.entries(fileParameters)) {
    const given = parameters[key as keyof typeof fileParameters]
    const value = key === 'include' ? (includesPosts(parameters) ? 'posts' : '') : String(given)
    if (value === usual) missing.push({ type: 'query', key, value: `^(?!(?:${usual})?$).*$` })
    else if (numbers === undefined || given === 'all')
      has.push({ type: 'query', key, value: `^${value}$` })
    else has.push({ type: 'query', key, value: `^(?!${usual}$)(?<${key}>${numbers})$` })
  }
  return { ...(has.length === 0 ? {} : { has }), missing }
}

/** Returns the path of a file below its workspace, with `{name}`, `$limit` and `$page`. */
function templateOf(request: ApiRequest): string {
  const { identifier, parameters } = request
  const name = identifier === null ? null : '{name}'
  const path = filePath({ ...request, workspace: 'w', identifier: name }) ?? ''
  const file = path.slice(`${versionRoots.v1}/w/`.length).replace(/_limit\/\d+/, '_limit/$limit')
  return parameters.page === 1 ? file : file.replace(/(?<!\d)\d+(?=\.\w+$)/, '$$page')
}
