// The objects of a bucket: object stores have no folders, so that a key is a documented path without an extension.
import { documentTable, isDocumentKind, isFeedKind } from '../../api/documents.ts'
import { imageTypes } from '../../api/media.ts'
import { fileStem, publicFolder, requestOfFile } from '../../api/paths.ts'
import type { Manifest } from '../../emit/manifest.ts'
import { cacheControl } from '../../runtime/headers.ts'
import { type DataFile, dataFiles, type HostDeployment, mediaFiles } from '../deployment.ts'
import { imageCacheControl } from '../media-reply.ts'

/** An object to upload. */
export interface StoredObject {
  /** The path of a request, without its leading `/`: `v1/acme/posts/hello`. Not percent-encoded. */
  readonly key: string
  /** Below the deployment's folder. */
  readonly file: string
  readonly contentType: string
  readonly cacheControl: string
}

const json = {
  contentType: 'application/json',
  // The same whatever is scheduled: a bucket changes with an upload alone.
  cacheControl: cacheControl('v1', Number.POSITIVE_INFINITY, 0),
}

/**
 * The objects of a deployment, by key.
 *
 * @param folder where the files of the build are in the deployment
 * @param aliases files under old names
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

/** The type of a document that is no JSON. */
function typeOf(path: string): Partial<StoredObject> {
  const { resource = '' } = requestOfFile(path) ?? {}
  return isDocumentKind(resource) ? { contentType: documentTable[resource].contentType } : {}
}

/** The documented path of a response's file, without its leading `/`. A page of a document has the name of its file. */
function keyOf(path: string): string {
  const { resource = '' } = requestOfFile(path) ?? {}
  if (isFeedKind(resource)) return path.slice(publicFolder.length + 1)
  const name = path.slice(publicFolder.length + 1).replace(/(?:\/index)?\.json$/, '')
  const identifier = requestOfFile(path)?.identifier ?? null
  if (identifier === null) return name
  // `v1/{workspace}/{resource}/…`: from there on the only segment of that name.
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
