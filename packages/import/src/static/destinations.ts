// Links and images: rewrites destinations in Markdown and HTML to posts of the workspace, copied images, and paths.
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { imageExtension } from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import { trimmedEnd } from '../parts.ts'
import type { ImportedImage } from '../site.ts'
import { replaceOutsideCode } from './code-mask.ts'
import type { StaticSite, Step } from './generator.ts'
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
  readonly #report: Ledger
  /** File names by path in the source and by URL. */
  readonly #posts = new Map<string, string>()
  readonly #addresses = new Map<string, string>()

  constructor(tree: SourceTree, site: StaticSite, report: Ledger) {
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
    return new DocumentDestinations((url) => this.#resolve(path, address, url))
  }

  #resolve(from: string, address: string | undefined, url: string): Resolved {
    const inSite = this.#withoutOrigin(url)
    if (inSite === null || inSite.startsWith('#') || inSite === '' || /\{[{%]/.test(inSite))
      return { kind: 'other' }
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
    // A page is no post, and its URL has no extension.
    const page = rawPath.replace(/(?:\/(?:_?index|readme))?\.(?:md|mdx|markdown)$/i, '')
    const isPage = page !== rawPath
    // A relative URL refers to another page next to the post, which quarry does not have.
    if (isRoot) return isPage ? { kind: 'page', path: (page || '/') + rest } : { kind: 'other' }
    const found = this.#rootPath(from, address, page, isPage) + rest
    return { kind: isPage ? 'page' : 'path', path: found }
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
    // Layouts, plugins and mounts add folders that are written nowhere.
    return this.#tree.endingWith(path.replace(/^(?:\.{0,2}\/)+/, ''))
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
    const aliased = /^(?:@site|~|@)\/(.*)$/.exec(path)?.[1]
    const starts = aliased === undefined ? [posix.dirname(from)] : this.#site.roots
    const byFile = starts
      .map((start) => posix.join(start, aliased ?? path))
      .flatMap((name) => [name, `${name}.md`, `${name}.mdx`, `${name}/index.md`])
      .map((name) => this.#posts.get(name))
      .find((file) => file !== undefined)
    if (byFile !== undefined || address === undefined) return byFile
    // A site with trailing slashes resolves relative to the page itself.
    return [folderOf(address), `${address}/`]
      .map((folder) => this.#posts.get(addressKey(posix.join(folder, path))))
      .find((file) => file !== undefined)
  }

  #rootPath(from: string, address: string | undefined, path: string, isFile: boolean): string {
    // A link to a file is relative to the file, one to a page to its URL.
    const aliased = /^(?:@site\/static|@site|~|@)\/(.*)$/.exec(path)?.[1]
    if (aliased !== undefined) return `/${aliased}`
    const folder = address === undefined || isFile ? `/${posix.dirname(from)}/` : folderOf(address)
    const joined = posix.join(folder, path)
    return joined.startsWith('/') ? joined : `/${joined}`
  }
}

type Resolved =
  | { readonly kind: 'other' }
  | { readonly kind: 'image'; readonly file: string }
  | { readonly kind: 'post'; readonly file: string; readonly rest: string }
  | { readonly kind: 'path' | 'page'; readonly path: string }

/** The destinations of one document and the images that it uses. */
export class DocumentDestinations {
  readonly #resolve: (url: string) => Resolved
  readonly #files = new Map<string, string>()
  readonly #inline = new Map<string, ImportedImage>()

  constructor(resolve: (url: string) => Resolved) {
    this.#resolve = resolve
  }

  /** The translation of a body. */
  get step(): Step {
    const run: Step['run'] = (body, { changed }) =>
      rewriteDestinations(body, (url) => this.rewrite(url, changed))
    return { name: 'links and images', run }
  }

  /** Rewrites a destination relative to `posts`; unchanged when it leads out of the workspace. */
  rewrite(url: string, changed: (what: string) => void = () => {}): string {
    const inline = this.#inlineImage(url)
    if (inline !== undefined) {
      changed('image in the text → file in media')
      return `../${inline}`
    }
    const found = this.#resolve(url)
    if (found.kind === 'other') return url
    changed(changes[found.kind])
    if ('path' in found) return found.path
    if (found.kind === 'post') return `./${encode(found.file)}${found.rest}`
    return `../${encode(this.#mediaPath(found.file))}`
  }

  /** The images among the destinations so far. */
  images(tree: SourceTree): readonly ImportedImage[] {
    const files = [...this.#files].map(([file, path]) => ({ path, bytes: () => tree.image(file) }))
    return [...files, ...this.#inline.values()]
  }

  #inlineImage(url: string): string | undefined {
    const [, type, data = ''] =
      /^data:image\/(png|jpeg|gif|webp|avif);base64,([A-Za-z0-9+/=\s]+)$/.exec(url) ?? []
    if (type === undefined) return undefined
    const bytes = Buffer.from(data, 'base64')
    const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
    const path = `media/inline/${name}.${type.replace('jpeg', 'jpg')}`
    this.#inline.set(path, { path, bytes: () => bytes })
    return path
  }

  #mediaPath(file: string): string {
    // A workspace ignores hidden folders.
    const path = `media/${file
      .split('/')
      .map((part) => part.replace(/^\./, '_'))
      .join('/')}`
    this.#files.set(file, path)
    return path
  }
}

const changes = {
  image: 'image → copy in media',
  post: 'link to a post → its file',
  page: 'link to the file of a page → its URL',
  path: 'relative link → path from the root',
}

/** Rewrites only the destinations in a text. @param rewrite maps a destination, decoded from HTML, to its new form */
export function rewriteDestinations(body: string, rewrite: (url: string) => string): string {
  const steps: readonly ((text: string) => string)[] = [
    (text) =>
      replaceOutsideCode(text, inline, ([all = '', url = '']) =>
        all.replace(url, () => markdownUrl(url, rewrite)),
      ),
    (text) =>
      replaceOutsideCode(
        text,
        definition,
        ([, start = '', url = '']) => start + markdownUrl(url, rewrite),
      ),
    (text) =>
      replaceOutsideCode(text, tag, ([all = '']) =>
        all.replace(attribute, (_, name: string, url: string) => name + htmlUrl(url, rewrite)),
      ),
  ]
  return steps.reduce((text, step) => step(text), body)
}

/** `](url)`, `](<url>)`, `](url "title")`; parentheses in a URL are balanced one level deep. */
const inline =
  /\]\([ \t]?\n?[ \t]?(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)(?=\)|[ \t\n]{1,3}[)"'(])/g

/** `[label]: url`, but not a footnote. */
const definition = /^([ \t>]{0,12}\[(?!\^)[^\]\n\r\u2028\u2029]+\]:[ \t]*)(<[^<>\n]*>|\S+)/gm

/** A tag of HTML. */
const tag = /<[a-zA-Z][^<>]*>/g

/** An attribute with a URL. */
const attribute =
  /(\s(?:src|href|poster)\s{0,9}=\s{0,9})("[^"\n]*"|'[^'\n]*'|[^\s"'<>{}]+)(?=[\s/>])/g

function markdownUrl(written: string, rewrite: (url: string) => string): string {
  const isPointed = written.startsWith('<') && written.endsWith('>')
  const url = (isPointed ? written.slice(1, -1) : written).replace(/\\([()[\]_*<>\\])/g, '$1')
  const made = rewrite(url)
  if (made === url) return written
  return isPointed || /[\s()]/.test(made) ? `<${made}>` : made
}

function htmlUrl(written: string, rewrite: (url: string) => string): string {
  const sign = /^["']/.test(written) ? written.charAt(0) : ''
  const url = (sign === '' ? written : written.slice(1, -1)).trim()
  const made = rewrite(url.replaceAll('&amp;', '&'))
  if (made === url || made === url.replaceAll('&amp;', '&')) return written
  const quote = sign || '"'
  return quote + made.replaceAll('&', '&amp;').replaceAll(quote, '%22') + quote
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
