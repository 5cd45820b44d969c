// Maps the links and images of a site to posts and files of the workspace.

import { posix } from 'node:path'
import { imageExtension } from 'quarry/authoring'
import { trimmedEnd } from '../parts.ts'
import type { ImportReport } from '../report.ts'
import type { ImportedImage } from '../site.ts'
import type { StaticSite } from './generator.ts'
import type { SourceTree } from './source-tree.ts'

/** A post that can be linked to. */
export interface LinkTarget {
  readonly path: string
  readonly address: string | undefined
  /** File name among the posts of the workspace. */
  readonly file: string
}

/** Resolves links across all posts. Memory: two entries per post. */
export class SiteDestinations {
  readonly #tree: SourceTree
  readonly #site: StaticSite
  readonly #report: ImportReport
  /** File names by path in the source and by URL. */
  readonly #posts = new Map<string, string>()
  readonly #addresses = new Map<string, string>()

  constructor(tree: SourceTree, site: StaticSite, report: ImportReport) {
    this.#tree = tree
    this.#site = site
    this.#report = report
  }

  addPost({ path, address, file }: LinkTarget): void {
    this.#posts.set(path, file)
    if (address === undefined) return
    this.#addresses.set(path, address)
    const key = addressKey(address)
    if (!this.#posts.has(key)) this.#posts.set(key, file)
  }

  /** The URL of a post by its path in the source. */
  addressOf(path: string): string | undefined {
    return this.#addresses.get(path)
  }

  /** Rewrites the destinations of a document, which need not be a post. */
  of(path: string): DocumentDestinations {
    const address = this.#addresses.get(path)
    return new DocumentDestinations(path, address, (url) => this.#resolve(path, address, url))
  }

  #resolve(from: string, address: string | undefined, url: string): Resolved {
    const inSite = this.#withoutOrigin(url)
    if (inSite === null || inSite.startsWith('#') || inSite === '') return { kind: 'other' }
    const [, rawPath = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(inSite) ?? []
    if (rawPath === '') return { kind: 'other' }
    const path = decoded(rawPath)
    const isRoot = path.startsWith('/')
    const isImage = imageExtension(path) !== null
    if (isImage) {
      const file = this.#findFile(from, path)
      if (file !== undefined) return { kind: 'image', file }
      this.#report.add('left', 'image that is not in the source', `${from} (${url})`)
    }
    const post = isImage ? undefined : this.#findPost(from, address, path)
    if (post !== undefined) return { kind: 'post', file: post, rest }
    // A relative URL refers to another page next to the post, which quarry does not have.
    if (isRoot) return { kind: 'other' }
    return { kind: 'path', path: this.#rootPath(from, address, rawPath) + rest }
  }

  /** Null for a URL outside of the site. */
  #withoutOrigin(url: string): string | null {
    const { url: origin } = this.#site
    const host = origin?.replace(/^https?:\/\//, '')
    const inSite = host === undefined ? undefined : /^(?:https?:)?\/\/([^/]+)(\/.*)?$/.exec(url)
    const isOwn = inSite?.[1] !== undefined && inSite[1] === host && inSite[2] !== undefined
    if (isOwn) return this.#isKnown(inSite[2] ?? '') ? (inSite[2] ?? null) : null
    return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(url) ? null : url
  }

  #isKnown(path: string): boolean {
    const plain = decoded(path.split(/[?#]/, 1)[0] ?? '')
    return this.#posts.has(addressKey(plain)) || this.#fileAtRoot(plain) !== undefined
  }

  #findFile(from: string, path: string): string | undefined {
    if (path.startsWith('/')) return this.#fileAtRoot(path)
    const sibling = posix.join(posix.dirname(from), path)
    if (this.#tree.has(sibling)) return sibling
    const aliased = path.replace(/^(?:@site|~|@)\//, '')
    const inRoots = this.#fileAtRoot(`/${aliased}`)
    if (inRoots !== undefined) return inRoots
    const ofPost = posix.join(posix.dirname(from), baseOf(from), path)
    if (this.#tree.has(ofPost)) return ofPost
    // Front matter may contain only the file name, if the site's layout adds the folder.
    return path.includes('/') ? undefined : this.#tree.named(path)
  }

  #fileAtRoot(path: string): string | undefined {
    const { base, roots } = this.#site
    const paths =
      base !== '' && path.startsWith(`${base}/`) ? [path.slice(base.length), path] : [path]
    for (const below of paths) {
      for (const root of roots) {
        const file = posix.join(root, below).replace(/^\//, '')
        if (this.#tree.has(file)) return file
      }
    }
    return undefined
  }

  #findPost(from: string, address: string | undefined, path: string): string | undefined {
    const { base } = this.#site
    if (path.startsWith('/')) {
      const plain = base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path
      return this.#posts.get(addressKey(path)) ?? this.#posts.get(addressKey(plain))
    }
    const sibling = posix.join(posix.dirname(from), path.replace(/^(?:@site|~|@)\//, '/'))
    const byFile = [sibling, `${sibling}.md`, `${sibling}.mdx`, `${sibling}/index.md`]
      .map((name) => this.#posts.get(name.replace(/^\//, '')))
      .find((file) => file !== undefined)
    if (byFile !== undefined || address === undefined) return byFile
    // A site with trailing slashes resolves relative to the page itself.
    return [folderOf(address), `${address}/`]
      .map((folder) => this.#posts.get(addressKey(posix.join(folder, path))))
      .find((file) => file !== undefined)
  }

  #rootPath(from: string, address: string | undefined, path: string): string {
    const folder = address === undefined ? `/${posix.dirname(from)}/` : folderOf(address)
    const joined = posix.join(folder, path.replace(/^(?:@site\/static|@site|~)\//, '/'))
    return joined.startsWith('/') ? joined : `/${joined}`
  }
}

type Resolved =
  | { readonly kind: 'other' }
  | { readonly kind: 'image'; readonly file: string }
  | { readonly kind: 'post'; readonly file: string; readonly rest: string }
  | { readonly kind: 'path'; readonly path: string }

/** The destinations of one document and the images that it uses. */
export class DocumentDestinations {
  readonly #path: string
  readonly #resolve: (url: string) => Resolved
  readonly #images = new Map<string, string>()
  readonly address: string | undefined

  constructor(path: string, address: string | undefined, resolve: (url: string) => Resolved) {
    this.#path = path
    this.address = address
    this.#resolve = resolve
  }

  /** Rewrites a destination relative to `posts`; unchanged when it leads out of the workspace. */
  rewrite(url: string): string {
    const found = this.#resolve(url)
    if (found.kind === 'other') return url
    if (found.kind === 'path') return found.path
    if (found.kind === 'post') return `./${encode(found.file)}${found.rest}`
    return `../${encode(this.#mediaPath(found.file))}`
  }

  /** The images among the destinations so far. */
  images(tree: SourceTree): readonly ImportedImage[] {
    return [...this.#images].map(([file, path]) => ({ path, bytes: () => tree.image(file) }))
  }

  /** Path of the document in the source. */
  get path(): string {
    return this.#path
  }

  #mediaPath(file: string): string {
    // A workspace ignores hidden folders.
    const path = `media/${file
      .split('/')
      .map((part) => part.replace(/^\./, '_'))
      .join('/')}`
    this.#images.set(file, path)
    return path
  }
}

/** Normalizes a URL: removes a trailing slash, `.html` and `index`. */
function addressKey(address: string): string {
  const plain = decoded(address)
    .replace(/\/index(?:\.html?)?$/, '')
    .replace(/\.html?$/, '')
  return `address ${trimmedEnd(plain, '/').toLowerCase()}`
}

function folderOf(address: string): string {
  return address.endsWith('/') ? address : `${posix.dirname(address)}/`
}

function baseOf(path: string): string {
  return posix.basename(path).replace(/\.\w+$/, '')
}

function encode(path: string): string {
  return path.replace(/[\s()<>"'\\%?#[\]*_`]/g, (sign) =>
    sign === '_' ? sign : `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).normalize('NFC')
  } catch {
    return text
  }
}
