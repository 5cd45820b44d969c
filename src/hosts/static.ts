// The deployment to a host without a function: v1 responses as files, with their objects in a bucket, and files under
// old slugs.
import { documentTable, isDocumentKind, isFeedKind } from '../api/documents.ts'
import { ApiError, errorJson } from '../api/errors.ts'
import { downloadType, imageTypes } from '../api/media.ts'
import { defaultParameters } from '../api/parameters.ts'
import { filePath, publicFolder, requestOfFile } from '../api/paths.ts'
import { formats } from '../api/request.ts'
import { redirectsJson } from '../api/respond.ts'
import type { Manifest } from '../build/manifest.ts'
import { cacheControl } from '../runtime/http.ts'
import {
  browserFiles,
  type DataFile,
  type HostDeployment,
  jsonText,
  mediaFiles,
  readBuilt,
  responseFiles,
} from './deployment.ts'
import { imageCacheControl } from './function.ts'

const folder = 'public'

/** The response for every path without a file, under the names that hosts look for. */
const notFound = errorJson('v1', new ApiError(404, 'There is no such file.'))

/** For GitHub Pages, S3 and other file servers. */
export const staticDeployment: HostDeployment = {
  folder: 'deploy/static',
  program: null,
  data: folder,
  media: `${folder}/media`,
  texts: (manifest, aliases) => {
    const names = [...responseFiles('v1', manifest), ...aliases].map(({ name }) => name)
    // A build omits the redirects of a workspace without aliases.
    const workspaces = new Set(names.map((name) => name.split('/', 2).join('/')))
    const missing = [...workspaces]
      .map((workspace) => `${workspace}/${documentTable.redirects.file}`)
      .filter((name) => !names.includes(name))
    const status = jsonText({ status: 'ok', build: manifest.build })
    const objects = [
      ...[...names, ...missing].map(responseObject),
      ...mediaFiles(manifest).map(({ name }) => imageObject(name)),
      ...browserFiles(manifest).map(({ name }) => browserObject(name)),
      ...[object('404.json', '404.json'), object('status', 'status.json')],
    ]
    return {
      // Without it, GitHub Pages omits names that begin with `_`.
      [`${folder}/.nojekyll`]: '',
      [`${folder}/404.html`]: notFound,
      [`${folder}/404.json`]: notFound,
      [`${folder}/status.json`]: status,
      ...Object.fromEntries(missing.map((name) => [`${folder}/${name}`, redirectsJson([], 0)])),
      'objects.json': `${JSON.stringify(objects.sort(byKey), null, 1)}\n`,
    }
  },
  next: 'upload the contents of deploy/static/public, including dotfiles',
  cannot: [
    'filter or search, but browsers can with `browser: true`: a query is ignored, and the lists that `precompute.lists` names have their own paths',
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

const byKey = (a: StoredObject, b: StoredObject) => (a.key < b.key ? -1 : 1)

/** The same cache times even with scheduled posts: only an upload changes a bucket. */
const control = cacheControl('v1', Number.POSITIVE_INFINITY, 0)

function object(key: string, name: string, contentType = 'application/json'): StoredObject {
  return { key, file: `${folder}/${name}`, contentType, cacheControl: control }
}

function imageObject(name: string): StoredObject {
  const type = imageTypes.get(name.slice(name.lastIndexOf('.'))) ?? downloadType
  return { ...object(`media/${name}`, `media/${name}`, type), cacheControl: imageCacheControl }
}

/** Data is named by its content, so it never changes. */
function browserObject(name: string): StoredObject {
  const types = { js: 'text/javascript', bin: 'application/octet-stream' }
  const type = types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types]
  const isData = name.startsWith('site/data/')
  return { ...object(name, name, type), ...(isData ? { cacheControl: imageCacheControl } : {}) }
}

/** The key of a response is its documented path. Pages of a document keep their file names. */
function responseObject(name: string): StoredObject {
  const { resource = '' } = requestOfFile(`${publicFolder}/${name}`) ?? {}
  const text = name.endsWith('.md') ? 'text/markdown; charset=utf-8' : undefined
  const type = isDocumentKind(resource) ? documentTable[resource].contentType : text
  // Only the file of an identifier that would collide has a `_` at its end.
  const key = name.replace(/(?:\/index)?\.json$/, '').replace(/_(?=\/|$)/, '')
  return object(isFeedKind(resource) ? name : key, name, type)
}

/** The body of a `redirects` response. */
interface Redirects {
  readonly redirects: readonly { readonly from: string; readonly to: string }[]
}

/**
 * The v1 files that a host serves under aliases, one per format. Each `path` is the post's file, each `name` the
 * alias's.
 *
 * @throws OutputError when another build has replaced the manifest's
 */
export function aliasFiles(out: string, manifest: Manifest): readonly DataFile[] {
  const ofPosts = responseFiles('v1', manifest).flatMap((file) => {
    const { resource, workspace = '' } = requestOfFile(file.path) ?? {}
    if (resource !== 'redirects') return []
    const { redirects }: Redirects = JSON.parse(Buffer.from(readBuilt(out, file)).toString())
    const of = { workspace, resource: 'posts', orderBy: defaultParameters.orderBy } as const
    return redirects.map((redirect) => ({ ...redirect, ...of }))
  })
  const ofItems = Object.entries(manifest.workspaces).flatMap(([workspace, { collections = {} }]) =>
    Object.entries(collections).flatMap(([collection, { aliases = {} }]) =>
      Object.entries(aliases).map(([from, to]) => {
        const of = { workspace, resource: 'items', collection, orderBy: 'own' } as const
        return { from, to, ...of }
      }),
    ),
  )
  return [...ofPosts, ...ofItems].flatMap(({ from, to, orderBy, ...of }) =>
    formats.flatMap((format) => {
      const row = {
        ...of,
        version: 'v1',
        parameters: { ...defaultParameters, orderBy, format },
      } as const
      const path = filePath({ ...row, identifier: to }) ?? ''
      const alias = filePath({ ...row, identifier: from }) ?? ''
      const entry = manifest.files.get(path)
      return entry ? [{ path, name: alias.slice(publicFolder.length + 1), entry }] : []
    }),
  )
}
