// The deployment to a host without a function: v1 responses as files, with their objects in a bucket, an OpenAPI document
// of what is there, and files under old slugs.

import { documentTable, isDocumentKind, isFeedKind } from '../api/documents.ts'
import { ApiError, errorJson } from '../api/errors.ts'
import { imageTypes } from '../api/media.ts'
import { type DescribedOperation, type OpenApiDocument, openApiDocument } from '../api/openapi.ts'
import {
  documentRequest,
  filePath,
  fileStem,
  publicFolder,
  requestOfFile,
  versionRoots,
} from '../api/paths.ts'
import { type ApiRequest, defaultParameters, formats, includesPosts } from '../api/request.ts'
import { redirectsJson } from '../api/respond.ts'
import type { Schema } from '../api/schemas.ts'
import type { Manifest } from '../build/manifest.ts'
import { cacheControl } from '../runtime/http.ts'
import {
  type DataFile,
  dataFiles,
  type HostDeployment,
  jsonText,
  mediaFiles,
  readBuilt,
} from './deployment.ts'
import { imageCacheControl } from './media.ts'

const folder = 'public'
const media = `${folder}/media`

/** The response for every path without a file, under the names that hosts look for. */
const notFound = errorJson('v1', new ApiError(404, 'There is no such file.'))

/** For GitHub Pages, S3 and other file servers. */
export const staticDeployment: HostDeployment = {
  folder: 'deploy/static',
  program: null,
  form: 'responses',
  data: folder,
  media,
  responses: null,
  texts: (manifest, aliases) => {
    // Files of redirects that a build omits, because no post has an alias.
    const roots = new Set([...manifest.files.keys()].map((path) => path.split('/', 3).join('/')))
    const redirects = Object.keys(manifest.workspaces)
      .filter((id) => roots.has(`${versionRoots.v1}/${id}`))
      .map((id) => `v1/${id}/${documentTable.redirects.file}`)
      .filter((path) => !manifest.files.has(`${publicFolder}/${path}`))
    const keys = {
      [`${folder}/openapi.json`]: 'openapi.json',
      [`${folder}/status.json`]: 'status',
      [`${folder}/404.json`]: '404.json',
      ...Object.fromEntries(redirects.map((path) => [`${folder}/${path}`, keyOf(path)])),
    }
    return {
      // Without it, GitHub Pages omits names that begin with `_`.
      [`${folder}/.nojekyll`]: '',
      [`${folder}/404.html`]: notFound,
      [`${folder}/404.json`]: notFound,
      ...Object.fromEntries(redirects.map((path) => [`${folder}/${path}`, redirectsJson([], 0)])),
      [`${folder}/openapi.json`]: jsonText(staticOpenApi(manifest)),
      [`${folder}/status.json`]: jsonText({ status: 'ok', build: manifest.build }),
      'objects.json': `${JSON.stringify(objectsOf(manifest, aliases, keys), null, 1)}\n`,
    }
  },
  next: 'upload the contents of deploy/static/public, including dotfiles',
  cannot: [
    'filter or search: a query is ignored, and the lists that `precompute.lists` names have their own paths',
    'check keys: it has neither v2 nor closed workspaces',
    'limit request rates',
    'show a scheduled post when it is due: build and upload again then',
    'set the cache times, ETags, statuses and CORS headers of the service: the host has its own',
  ],
}

/** An object to upload. */
export interface StoredObject {
  /** The request path without its leading `/`: `v1/acme/posts/hello`. Not percent-encoded. */
  readonly key: string
  /** Path relative to the deployment's folder. */
  readonly file: string
  readonly contentType: string
  readonly cacheControl: string
}

/**
 * The objects of a deployment, by key.
 *
 * @param aliases files under old slugs
 * @param others keys of the other files of the deployment, by path
 */
function objectsOf(
  manifest: Manifest,
  aliases: readonly DataFile[],
  others: Readonly<Record<string, string>>,
): readonly StoredObject[] {
  // The same even with scheduled posts: only an upload changes a bucket.
  const control = cacheControl('v1', Number.POSITIVE_INFINITY, 0)
  const object = (key: string, file: string, contentType = 'application/json') => {
    return { key, file, contentType, cacheControl: control }
  }
  const data = [...dataFiles(staticDeployment, manifest), ...aliases]
  const responses = data.map(({ name }) => object(keyOf(name), `${folder}/${name}`, typeOf(name)))
  const images = mediaFiles(staticDeployment, manifest).map(({ name }) => {
    const type = imageTypes.get(name.slice(name.lastIndexOf('.')))
    return {
      ...object(`media/${name}`, `${media}/${name}`, type),
      cacheControl: imageCacheControl,
    }
  })
  const more = Object.entries(others).map(([file, key]) => object(key, file))
  return [...responses, ...images, ...more].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** The content type of a document; undefined for JSON. @param name below the public folder */
function typeOf(name: string): string | undefined {
  const { resource = '' } = requestOfFile(`${publicFolder}/${name}`) ?? {}
  return isDocumentKind(resource) ? documentTable[resource].contentType : undefined
}

/** The documented path of a response file, without its leading `/`. Pages of a document keep their file names. */
function keyOf(name: string): string {
  const { resource = '', identifier = null } = requestOfFile(`${publicFolder}/${name}`) ?? {}
  if (isFeedKind(resource)) return name
  const key = name.replace(/(?:\/index)?\.json$/, '')
  if (identifier === null) return key
  // `v1/{workspace}/{resource}/…`: from here on, only one segment has the name of the identifier's file.
  const segments = key.split('/')
  return segments.with(segments.indexOf(fileStem(identifier), 3), identifier).join('/')
}

/** The body of a `redirects` response. */
interface Redirects {
  readonly redirects: readonly { readonly from: string; readonly to: string }[]
}

/**
 * The v1 files that a host serves under aliases. Each `path` is the post's file, each `name` the alias's.
 *
 * @throws OutputError when another build has replaced the manifest's
 */
export function aliasFiles(out: string, manifest: Manifest): readonly DataFile[] {
  return [...manifest.files].flatMap(([path, entry]) => {
    const request = path.startsWith(`${versionRoots.v1}/`) ? requestOfFile(path) : null
    if (request?.resource !== 'redirects') return []
    const bytes = readBuilt(out, { path, name: '', entry })
    const { redirects }: Redirects = JSON.parse(Buffer.from(bytes).toString())
    return redirects.flatMap((redirect) => filesOf(redirect, request.workspace, manifest))
  })
}

/** Returns one file per format in which the post exists. */
function filesOf(
  { from, to }: Redirects['redirects'][number],
  workspace: string,
  { files }: Manifest,
): readonly DataFile[] {
  return formats.flatMap((format) => {
    const parameters = { ...defaultParameters, format }
    const target = { version: 'v1', workspace, resource: 'posts', parameters } as const
    const path = filePath({ ...target, identifier: to }) ?? ''
    const alias = filePath({ ...target, identifier: from }) ?? ''
    const entry = files.get(path)
    return entry === undefined ? [] : [{ path, name: alias.slice('public/'.length), entry }]
  })
}

/** Returns an OpenAPI 3.1 document with one path per form of v1 file in the build. */
function staticOpenApi({ files }: Pick<Manifest, 'files'>): OpenApiDocument {
  const { openapi, info, tags, paths, components } = openApiDocument()
  const forms = new Map<string, ApiRequest>()
  for (const path of files.keys()) {
    const request = requestOfFile(path)
    if (request?.version === 'v1') forms.set(templateOf(request), request)
  }
  // The deployment adds redirects to every workspace.
  const redirects = documentRequest('v1', 'w', documentTable.redirects.file)
  if (forms.size > 0 && redirects !== null) forms.set(templateOf(redirects), redirects)
  const sorted = [...forms].sort(([a], [b]) => (a < b ? -1 : 1))
  const described = Object.fromEntries(
    sorted.map(([template, { resource, identifier }]) => {
      const single = identifier === null ? '' : '/{identifier}'
      const operation = paths[`/v1/{workspaceId}/${resource}${single}`]
      if (operation === undefined) throw new Error(`${template} belongs to no operation`)
      return [template, { get: describe(template, operation.get) }]
    }),
  )
  // The schemas that paths reference, and those that these do.
  const used = new Set<string>()
  const follow = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (used.has(name)) continue
      used.add(name)
      follow(components.schemas[name])
    }
  }
  follow(described)
  const schemas = Object.entries(components.schemas).filter(([name]) => used.has(name))
  return {
    openapi,
    info: { ...info, description },
    servers: [{ url: '.' }],
    tags,
    paths: described,
    components: { schemas: Object.fromEntries(schemas) },
  }
}

const description =
  'Posts, authors, categories and tags as files; a query is ignored. In a file name `_` is added to an identifier that is `index` or ends in `.json`.'

/** The path of a file as a template with `{workspaceId}`, `{identifier}` and `{page}`. */
function templateOf(request: ApiRequest): string {
  const { identifier, parameters } = request
  const hasPage = includesPosts(parameters) || parameters.page > 1
  const form: ApiRequest = {
    ...request,
    workspace: '{workspaceId}',
    identifier: identifier === null ? null : '{identifier}',
    parameters: { ...parameters, page: hasPage ? 2 : 1 },
  }
  const path = (filePath(form) ?? '').slice(publicFolder.length)
  return hasPage ? path.replace(/2(?=\.\w+$)/, '{page}') : path
}

/** An operation on files. Its id is that of the path: `getV1WorkspaceIdPostsPagePageJson`. */
function describe(
  template: string,
  { summary, description, tags, responses, parameters }: DescribedOperation,
): DescribedOperation {
  const words = template
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const inPath = parameters.filter((parameter) => parameter['in'] === 'path')
  const kept = Object.entries(responses).filter(([status]) => status === '200' || status === '404')
  return {
    operationId: `get${words.join('')}`,
    summary,
    description,
    tags,
    security: [],
    parameters: template.includes('{page}') ? [...inPath, pageParameter] : inPath,
    responses: Object.fromEntries(kept),
  }
}

const pageParameter: Schema = {
  name: 'page',
  in: 'path',
  required: true,
  description: 'The page, up to `pagination.totalPages`.',
  schema: { type: 'integer', minimum: 1 },
}
