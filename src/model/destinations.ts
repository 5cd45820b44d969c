// The meaning of a destination next to a post: an image that is published, or another post. Looked up among the names that
// were listed, never on the disk: nothing outside the workspace can be meant.
import { posix } from 'node:path'
import { encodePart, postLink } from '../api/post-link.ts'
import { imageExtension } from '../content/media.ts'
import type { RawWorkspace, WorkspaceFolders } from '../content/raw.ts'
import { isRelativePath, isRootPath } from '../content/relative-path.ts'
import type { Problem as ReadProblem } from '../content/source.ts'
import {
  closed,
  leadsToDraft,
  missingImage,
  missingPost,
  missingRootImage,
  outside,
  unsupported,
} from './destination-problems.ts'
import type { LinkSettings } from './link-settings.ts'
import { PathIndex } from './path-index.ts'
import type { Problem } from './problems.ts'

/** An image that is published. */
export interface MediaFile {
  /** Path below the content folder, with `/`. */
  readonly source: string
  /** The digest of its bytes, hexadecimal. */
  readonly sha256: string
  /** Path below the public folder: `media/acme/0f….png`. */
  readonly path: string
}

/** The meaning of a destination. */
export interface Destination {
  /** Percent-encoded; null for one that stays as it is written. */
  readonly url: string | null
  /** The file that has to be published for it. */
  readonly media?: MediaFile
  /** Makes the problem: of a body with many, only the first are reported. */
  readonly problem?: () => Problem
  /** The place in another post that a fragment names. */
  readonly anchor?: PostAnchor
}

/** A place in a post. */
export interface PostAnchor {
  /** Path of the post below the content folder, in normal form C. */
  readonly file: string
  /** Decoded, without `#`. */
  readonly name: string
}

/** A post as others link to it: drafts have no address. */
export type LinkedPost =
  | { readonly slug: string; readonly id: string; readonly publishedAt: string }
  | 'draft'
  | 'broken'

/** The input of `Destinations`, as JSON. */
export interface DestinationSources {
  /** By path below the content folder: the SHA-256 of the image, hexadecimal, or why it cannot be read. */
  readonly images: readonly (readonly [path: string, image: string | ReadProblem])[]
  readonly settings: LinkSettings
  readonly folders: WorkspaceFolders
}

/** The files that a post's front matter and body can refer to, in one workspace. */
export class Destinations {
  readonly #workspace: string
  readonly #given: WorkspaceFolders
  /** In which destinations can be. */
  readonly #folders: readonly string[]
  readonly #roots: readonly string[]
  readonly #isPrivate: boolean
  readonly settings: LinkSettings
  /** By path in normal form C, as posts name them; each with its path on the disk. */
  readonly #images: ReadonlyMap<string, readonly [source: string, image: string | ReadProblem]>
  readonly #posts = new Map<string, LinkedPost>()
  /** Made for the first path that leads nowhere. */
  #imageIndex: PathIndex | undefined
  #postIndex: PathIndex | undefined

  /** @param isPrivate nothing of the workspace may be read without a key */
  constructor(
    { id, images, folders }: Pick<RawWorkspace, 'id' | 'images' | 'folders'>,
    isPrivate: boolean,
    settings: LinkSettings,
  ) {
    this.#workspace = id
    this.#given = folders
    this.#folders = [...folders.posts, ...folders.media].map((path) => path.normalize('NFC'))
    this.#roots = folders.roots.map((path) => path.normalize('NFC'))
    this.#isPrivate = isPrivate
    this.settings = settings
    this.#images = new Map(
      [...images].map(([path, image]) => [path.normalize('NFC'), [path, image]]),
    )
  }

  /** The input of others that have the same images. */
  get sources(): DestinationSources {
    const { settings } = this
    return { images: [...this.#images.values()], settings, folders: this.#given }
  }

  /** @param file its path below the content folder */
  addPost(file: string, post: LinkedPost): void {
    this.#posts.set(file.normalize('NFC'), post)
    this.#postIndex = undefined
  }

  /**
   * @param file of the post, below the content folder
   * @param url a relative path, maybe with a query and a fragment
   */
  resolve(file: string, kind: 'image' | 'link', url: string): Destination {
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/su.exec(url) ?? []
    if (this.#roots.length > 0 && isRootPath(url)) return this.#rootImage(file, url, path)
    const target = this.#pathOf(file, path)
    if (target === null) return this.#broken(() => outside(url))
    const isImage =
      kind === 'image' || (/\.\w+$/u.test(path) && !/\.(?:md|markdown|mdx)$/iu.test(path))
    return isImage ? this.#image(file, url, target) : this.#post(file, url, target, rest)
  }

  /** Whether an address may be that of an image here. */
  mayHold(url: string): boolean {
    return isRootPath(url) ? this.#roots.length > 0 : isRelativePath(url)
  }

  /** @param path from the root of a site: of an image that is in one of the roots, or that the site serves otherwise */
  #rootImage(file: string, url: string, path: string): Destination {
    const targets = this.#roots.flatMap((root) => pathsBelow(root, decode(path).normalize('NFC')))
    const target = targets.find((each) => this.#images.has(each)) ?? targets[0]
    if (target === undefined) return this.#broken(() => outside(url))
    // Files that are no images, and all of a private workspace, stay with the site that serves them.
    if (imageExtension(target) === null || this.#isPrivate) return { url: null }
    const near = () => this.#rootPathOf(this.#nearestImage(target), file)
    return this.#images.has(target)
      ? this.#image(file, url, target)
      : this.#broken(() => missingRootImage(url), near)
  }

  /** Below the content folder; null for what is beyond the folders of posts and images. */
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
    // Its own problems say enough.
    if (post === 'broken') return { url: null }
    if (post === 'draft') return { url: null, problem: () => leadsToDraft(url) }
    const anchor = anchorOf(target, rest)
    if (this.settings.post === null) return { url: null, ...anchor }
    const link = postLink(this.settings.post, { ...post, workspace: this.#workspace })
    return { url: `${link}${encodeRest(rest)}`, ...anchor }
  }

  /** As a post names an image: from the root of the site, or from the post. */
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

  /** @param near looks for the path that was meant */
  #broken(problem: () => Problem, near?: () => string | undefined): Destination {
    const severity = this.settings.broken
    if (severity === 'ignore') return { url: null }
    return { url: null, problem: () => ({ ...problem(), severity, near }) }
  }
}

/** Paths below a root that a path from the root of a site, or of a project, can mean; none beyond the root. */
function pathsBelow(root: string, path: string): readonly string[] {
  if (/[\\\0]/.test(path)) return []
  const inProject = `@site/${posix.basename(root)}/`
  const name = path.startsWith(inProject)
    ? path.slice(inProject.length)
    : path.replace(/^@site\//, '')
  const target = posix.join(root, name)
  return target.startsWith(`${root}/`) ? [target] : []
}

/** A relative path to a file. @param from the file that it is written in */
function wayTo(file: string | undefined, from: string): string | undefined {
  if (file === undefined) return undefined
  const way = posix.relative(posix.dirname(from.normalize('NFC')), file)
  return way.startsWith('.') ? way : `./${way}`
}

/** @param rest of a URL behind its path */
function anchorOf(file: string, rest: string): Pick<Destination, 'anchor'> {
  const [, fragment = ''] = /#(.+)$/su.exec(rest) ?? []
  // `#top` leads to the top of any document (HTML, "indicated part of the document").
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

/** A query and a fragment as they are, but for what no address may hold. */
function encodeRest(rest: string): string {
  return rest.replace(/%[0-9a-f]{2}|[^A-Za-z0-9\-._~:/?#@!$&+,=]/giu, (text) =>
    text.length === 3 && text.startsWith('%')
      ? text
      : encodePart(text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')),
  )
}
