// The objects of a bucket. Object stores have no folders, so a key is a documented path without an extension.
import { documentTable, isDocumentKind, isFeedKind } from '../api/documents.ts'
import { imageTypes } from '../api/media.ts'
import { fileStem, publicFolder, requestOfFile } from '../api/paths.ts'
import type { Manifest } from '../emit/manifest.ts'
import { cacheControl } from '../runtime/http.ts'
import { type DataFile, dataFiles, type HostDeployment, mediaFiles } from './deployment.ts'
import { imageCacheControl } from './media-reply.ts'

/** An object to upload. */
export interface StoredObject {
  /** The request path without its leading `/`: `v1/acme/posts/hello`. Not percent-encoded. */
  readonly key: string
  /** Path relative to the deployment's folder. */
  readonly file: string
  readonly contentType: string
  readonly cacheControl: string
}

const json = {
  contentType: 'application/json',
  // The same even with scheduled posts: only an upload changes a bucket.
  cacheControl: cacheControl('v1', Number.POSITIVE_INFINITY, 0),
}

/**
 * The objects of a deployment, by key.
 *
 * @param folder the folder of the build's files in the deployment
 * @param aliases files under old slugs
 * @param texts paths of the other files of the deployment, each with its key
 */
export function objectsOf(
  { data, media }: Pick<HostDeployment, 'data' | 'media'>,
  manifest: Manifest,
  {
    folder,
    aliases,
    texts,
  }: {
    readonly folder: string
    readonly aliases: readonly DataFile[]
    readonly texts: Readonly<Record<string, string>>
  },
): readonly StoredObject[] {
  const responses = [...dataFiles(data, manifest), ...aliases].map(({ name }) => ({
    ...json,
    ...typeOf(`public/${name}`),
    key: keyOf(`public/${name}`),
    file: `${folder}/${name}`,
  }))
  const images = mediaFiles({ media }, manifest).map((file) => imageObject(file, media ?? ''))
  const others = Object.entries(texts).map(([file, key]) => ({ ...json, key, file }))
  return [...responses, ...images, ...others]
    .map(({ key, file, contentType, cacheControl }) => ({ key, file, contentType, cacheControl }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** The content type of a document that is not JSON. */
function typeOf(path: string): Partial<StoredObject> {
  const { resource = '' } = requestOfFile(path) ?? {}
  return isDocumentKind(resource) ? { contentType: documentTable[resource].contentType } : {}
}

/** The documented path of a response file, without its leading `/`. Pages of a document keep their file names. */
function keyOf(path: string): string {
  const { resource = '' } = requestOfFile(path) ?? {}
  if (isFeedKind(resource)) return path.slice(publicFolder.length + 1)
  const name = path.slice(publicFolder.length + 1).replace(/(?:\/index)?\.json$/, '')
  const identifier = requestOfFile(path)?.identifier ?? null
  if (identifier === null) return name
  // `v1/{workspace}/{resource}/…`: from here on, only one segment has this name.
  const stem = fileStem(identifier)
  const segments = name.split('/')
  const at = segments.indexOf(stem, 3)
  return segments.with(at, identifier).join('/')
}

function imageObject({ name }: DataFile, media: string): StoredObject {
  const contentType = imageTypes.get(name.slice(name.lastIndexOf('.'))) ?? ''
  return {
    key: `media/${name}`,
    file: `${media}/${name}`,
    contentType,
    cacheControl: imageCacheControl,
  }
}
