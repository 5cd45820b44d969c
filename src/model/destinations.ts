// Resolves destinations in a post to published images or other posts. Looks up listed names, never the disk.

import { posix } from 'node:path'
import { imageTypes } from '../api/media.ts'
import { encodePart, postLink } from '../api/post-link.ts'
import { imageExtension } from '../content/media.ts'
import { nearest } from '../content/nearest.ts'
import type { RawWorkspace, WorkspaceFolders } from '../content/raw.ts'
import { isRelativePath, isRootPath } from '../content/relative-path.ts'
import { type Problem, quote } from '../diagnostics.ts'
import type { LinkSettings } from './link-settings.ts'
import type { Problems } from './problems.ts'
import { placeOf, type Reading } from './read-fields.ts'

/** A published image. */
export interface MediaFile {
  /** Path below the content folder, with `/`. */
  readonly source: string
  /** SHA-256 of its bytes, hexadecimal. */
  readonly sha256: string
  /** Path below the public folder: `media/acme/0f….png`. */
  readonly path: string
}

/** A resolved destination. */
export interface Destination {
  /** Percent-encoded; null keeps the destination as written. */
  readonly url: string | null
  /** The image to publish for it. */
  readonly media?: MediaFile
  /** Creates the problem, lazily: only the first problems of a body are reported. */
  readonly problem?: () => Problem
  /** The anchor in another post that its fragment names. */
  readonly anchor?: PostAnchor
}

/** An anchor in a post. */
export interface PostAnchor {
  /** Path of the post below the content folder, in normal form C. */
  readonly file: string
  /** Fragment, decoded, without `#`. */
  readonly name: string
}

/** A post as a link target. A draft has no URL. */
export type LinkedPost =
  | { readonly slug: string; readonly id: string; readonly publishedAt: string }
  | 'draft'
  | 'broken'

/** The input of `Destinations`, as JSON. */
export interface DestinationSources {
  /** SHA-256 of each image, hexadecimal, or its read error, by path below the content folder. */
  readonly images: readonly (readonly [path: string, image: string | Problem])[]
  readonly settings: LinkSettings
  readonly folders: WorkspaceFolders
}

/** Files that front matter and bodies of posts can refer to, in one workspace. */
export class Destinations {
  readonly #workspace: string
  readonly #allFolders: WorkspaceFolders
  /** Folders that destinations may be in. */
  readonly #folders: readonly string[]
  readonly #roots: readonly string[]
  readonly #isPrivate: boolean
  readonly settings: LinkSettings
  /** By path in normal form C, as posts write it, with the path on disk. */
  readonly #images: ReadonlyMap<string, readonly [source: string, image: string | Problem]>
  readonly #posts = new Map<string, LinkedPost>()
  /** Built for the first broken path. */
  #imageIndex: PathIndex | undefined
  #postIndex: PathIndex | undefined

  /** @param isPrivate true if reading the workspace requires a key */
  constructor(
    { id, images, folders }: Pick<RawWorkspace, 'id' | 'images' | 'folders'>,
    isPrivate: boolean,
    settings: LinkSettings,
  ) {
    this.#workspace = id
    this.#allFolders = folders
    const { posts, media, authors } = folders
    this.#folders = [...posts, ...media, ...authors].map((path) => path.normalize('NFC'))
    this.#roots = folders.roots.map((path) => path.normalize('NFC'))
    this.#isPrivate = isPrivate
    this.settings = settings
    this.#images = new Map(
      [...images].map(([path, image]) => [path.normalize('NFC'), [path, image]]),
    )
  }

  /** The input of other `Destinations` with the same images. */
  get sources(): DestinationSources {
    const { settings } = this
    return { images: [...this.#images.values()], settings, folders: this.#allFolders }
  }

  /** @param file its path below the content folder */
  addPost(file: string, post: LinkedPost): void {
    this.#posts.set(file.normalize('NFC'), post)
    this.#postIndex = undefined
  }

  /**
   * @param file path of the post, below the content folder
   * @param url a relative path, optionally with a query and a fragment
   */
  resolve(file: string, kind: 'image' | 'link', url: string): Destination {
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/su.exec(url) ?? []
    if (this.#roots.length > 0 && isRootPath(url)) return this.#rootImage(file, url, path)
    const target = this.#pathOf(file, path)
    if (target === null) return this.#broken(() => outside(url))
    const isFile = /\.\w+$/u.test(path) && !/\.(?:md|markdown|mdx)$/iu.test(path)
    if (kind === 'link' && isFile && imageExtension(target) === null)
      return this.#broken(() => unpublished(url))
    return kind === 'image' || isFile
      ? this.#image(file, url, target)
      : this.#post(file, url, target, rest)
  }

  /** Reports whether a URL may refer to an image in the content. */
  mayHold(url: string): boolean {
    return isRootPath(url) ? this.#roots.length > 0 : isRelativePath(url)
  }

  /** @param path from the root of the site: an image in one of the roots, or a file that only the site serves */
  #rootImage(file: string, url: string, path: string): Destination {
    const targets = this.#roots.flatMap((root) => pathsBelow(root, decode(path).normalize('NFC')))
    const target = targets.find((each) => this.#images.has(each)) ?? targets[0]
    if (target === undefined) return this.#broken(() => outside(url))
    // Files that are not images, and all files of a private workspace, are left to the site.
    if (imageExtension(target) === null || this.#isPrivate) return { url: null }
    const near = () => this.#rootPathOf(this.#nearestImage(target), file)
    return this.#images.has(target)
      ? this.#image(file, url, target)
      : this.#broken(() => missingRootImage(url), near)
  }

  /** Returns the path below the content folder; null outside the folders of posts and images. */
  #pathOf(file: string, path: string): string | null {
    const decoded = decode(path).normalize('NFC')
    if (/[\\\0]/.test(decoded) || decoded.startsWith('/')) return null
    const target = posix.join(posix.dirname(file.normalize('NFC')), decoded)
    return this.#folders.some((path) => target.startsWith(`${path}/`)) ? target : null
  }

  #image(file: string, url: string, target: string): Destination {
    const extension = imageExtension(target)
    const found = this.#images.get(target)
    if (extension === null) return this.#broken(() => unsupported(url))
    if (found === undefined) {
      const near = () => wayTo(this.#nearestImage(target), file)
      return this.#broken(() => missingImage(url), near)
    }
    const [source, image] = found
    if (typeof image !== 'string') return this.#broken(() => image)
    if (this.#isPrivate) return { url: null, problem: () => closed(url) }
    const name = `${image.slice(0, 32)}${extension === '.jpeg' ? '.jpg' : extension}`
    return {
      url: `${this.settings.baseUrl}/media/${encodePart(this.#workspace)}/${name}`,
      media: { source, sha256: image, path: `media/${this.#workspace}/${name}` },
    }
  }

  #post(file: string, url: string, target: string, rest: string): Destination {
    const post = this.#posts.get(target)
    if (post === undefined) {
      const near = () => wayTo(this.#nearestPost(target), file)
      return this.#broken(() => missingPost(url), near)
    }
    // The problems of the broken post are already reported.
    if (post === 'broken') return { url: null }
    if (post === 'draft') return { url: null, problem: () => leadsToDraft(url) }
    const anchor = anchorOf(target, rest)
    if (this.settings.post === null) return { url: null, ...anchor }
    const link = postLink(this.settings.post, { ...post, workspace: this.#workspace })
    return { url: `${link}${encodeRest(rest)}`, ...anchor }
  }

  /** Returns the path of an image as a post writes it: from the root of the site, or relative to the post. */
  #rootPathOf(image: string | undefined, file: string): string | undefined {
    const root = this.#roots.find((each) => image?.startsWith(`${each}/`))
    return root === undefined ? wayTo(image, file) : image?.slice(root.length)
  }

  #nearestImage(target: string): string | undefined {
    this.#imageIndex ??= new PathIndex(this.#images.keys())
    return this.#imageIndex.nearest(target)
  }

  #nearestPost(target: string): string | undefined {
    this.#postIndex ??= new PathIndex(this.#posts.keys())
    return this.#postIndex.nearest(target)
  }

  /** @param near finds the path that was probably meant */
  #broken(problem: () => Problem, near?: () => string | undefined): Destination {
    const severity = this.settings.broken
    if (severity === 'ignore') return { url: null }
    return { url: null, problem: () => ({ ...problem(), severity, near }) }
  }
}

/** Returns the paths below a root that a path from the root of a site or project can mean; none outside the root. */
function pathsBelow(root: string, path: string): readonly string[] {
  if (/[\\\0]/.test(path)) return []
  const inProject = `@site/${posix.basename(root)}/`
  const name = path.startsWith(inProject)
    ? path.slice(inProject.length)
    : path.replace(/^@site\//, '')
  const target = posix.join(root, name)
  return target.startsWith(`${root}/`) ? [target] : []
}

/** Returns the relative path to a file. @param from file that contains it */
function wayTo(file: string | undefined, from: string): string | undefined {
  if (file === undefined) return undefined
  const way = posix.relative(posix.dirname(from.normalize('NFC')), file)
  return way.startsWith('.') ? way : `./${way}`
}

/** @param rest the part of a URL after its path */
function anchorOf(file: string, rest: string): Pick<Destination, 'anchor'> {
  const [, fragment = ''] = /#(.+)$/su.exec(rest) ?? []
  // `#top` refers to the top of any document (HTML, "indicated part of the document").
  const isPlace = fragment !== '' && fragment.toLowerCase() !== 'top'
  return isPlace ? { anchor: { file, name: decode(fragment) } } : {}
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Encodes only the characters that a query or fragment must not contain. */
function encodeRest(rest: string): string {
  return rest.replace(/%[0-9a-f]{2}|[^A-Za-z0-9\-._~:/?#@!$&+,=]/giu, (text) =>
    text.length === 3 && text.startsWith('%')
      ? text
      : encodePart(text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')),
  )
}

/** Returns the problem of a path that leaves the folders of posts and images. */
export function outside(url: string): Problem {
  return {
    code: 'outside-workspace',
    message: `${quote(url)} leads out of the posts and images of this workspace.`,
    hint: 'Put the file below "posts" or "media" of the workspace.',
  }
}

/** Returns the problem of a file that is not an image of a supported type. */
export function unsupported(url: string): Problem {
  return {
    code: 'unsupported-image',
    message: `${quote(url)} is not an image that quarry publishes; an SVG can run scripts.`,
    hint: `Use one of ${[...imageTypes.keys()].join(', ')}.`,
  }
}

/** Returns the problem of a link to a file that is neither a post nor an image. */
export function unpublished(url: string): Problem {
  return {
    code: 'unpublished-file',
    message: `${quote(url)} is not published: only posts and images are.`,
    hint: 'Put the file where your site serves it, and link to its full URL.',
  }
}

/** Returns the problem of a relative path to a missing image. */
export function missingImage(url: string): Problem {
  const message = `There is no image ${quote(url)}.`
  return { code: 'missing-image', message, hint: 'Put it next to this file, or in "media".' }
}

/** Returns the problem of a root-relative path to a missing image. */
export function missingRootImage(url: string): Problem {
  const message = `There is no image ${quote(url)} below \`media.roots\`.`
  return { code: 'missing-image', message, hint: 'Put it below one of these folders.' }
}

/** Returns the problem of a path to a missing post. */
export function missingPost(url: string): Problem {
  const message = `There is no post ${quote(url)}.`
  return { code: 'broken-link', message, hint: 'Use a path relative to this file.' }
}

/** Returns the problem of a path to a draft. */
export function leadsToDraft(url: string): Problem {
  return {
    code: 'draft-link',
    severity: 'warning',
    message: `${quote(url)} is a draft, which has no URL; the link stays as it is written.`,
    hint: 'Publish the draft, or remove the link.',
  }
}

/** Returns the problem of an image in a private workspace. */
export function closed(url: string): Problem {
  return {
    code: 'private-image',
    message: `This workspace is private, and ${quote(url)} would be readable by anyone who knows its URL.`,
    hint: 'Host the image where you control who reads it, and use its full URL.',
  }
}

/** An index of paths for many lookups. */
export class PathIndex {
  readonly #namesByFolder = new Map<string, string[]>()
  /** By normalized path: `posts/hello/index.md` is `posts/hello.md`, unless that is a file. */
  readonly #pathByPlace = new Map<string, string>()
  /** By lower-cased name; the first of several in code unit order. */
  readonly #pathByName = new Map<string, string>()

  /** @param paths with `/` */
  constructor(paths: Iterable<string>) {
    for (const path of [...paths].sort()) {
      const place = withoutIndex(path)
      const { dir, base } = posix.parse(place)
      const names = this.#namesByFolder.get(dir)
      if (names === undefined) this.#namesByFolder.set(dir, [base])
      else names.push(base)
      if (place === path || !this.#pathByPlace.has(place)) this.#pathByPlace.set(place, path)
      const key = base.toLowerCase()
      if (!this.#pathByName.has(key)) this.#pathByName.set(key, path)
    }
  }

  /** Returns a file with a similar name in the same folder, or one with the same name elsewhere. */
  nearest(path: string): string | undefined {
    const { dir, base } = posix.parse(withoutIndex(path))
    const near = nearest(base, this.#namesByFolder.get(dir) ?? [])
    return near === undefined
      ? this.#pathByName.get(base.toLowerCase())
      : this.#pathByPlace.get(posix.join(dir, near))
  }
}

/** Replaces `/index.md` by the folder's name, as every such folder has an `index.md`. */
function withoutIndex(path: string): string {
  return path.replace(/\/index(\.(?:md|markdown|mdx))$/u, '$1')
}

/**
 * Resolves an image. An absolute URL is kept as written.
 *
 * @param path of the value in the front matter
 */
export function readPicture(
  image: string | null,
  path: readonly PropertyKey[],
  reading: Reading,
  { destinations, problems }: { readonly destinations: Destinations; readonly problems: Problems },
): Destination {
  if (image === null || !destinations.mayHold(image)) return { url: null }
  const found = destinations.resolve(reading.source.file, 'image', image)
  if (found.problem !== undefined) {
    problems.report(reading.source, placeOf(reading, path), found.problem())
  }
  return found
}
