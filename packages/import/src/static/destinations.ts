// Links and images: rewrites destinations in Markdown and HTML to posts of the workspace, copied images, and paths.
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { imageExtension, imageTypeOf } from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import { decoded, trimmedEnd } from '../parts.ts'
import type { ImportedImage, PostHead, StaticSite, Step } from '../site.ts'
import { lastSegment } from '../terms.ts'
import { replaceOutsideCode } from './code-mask.ts'
import { baseName } from './post-head.ts'
import type { SourceTree } from './source-tree.ts'

/** A destination as posts of the workspace write it. */
interface Resolved {
  readonly kind: keyof typeof changes
  readonly to: string
  readonly image?: ImportedImage
}

export const missingFile = 'link to a file that is not in the source'
const linkedFile = 'linked file: serve it at its URL, or copy it to `media` (`media.files`)'

/** Resolves links across all posts. Memory: two entries per post. */
export class SiteDestinations {
  readonly #tree: SourceTree
  readonly #site: StaticSite
  readonly #posts = new Map<string, string>()
  /** URLs by paths of files; guesses too. */
  readonly addresses: Map<string, string> = new Map()

  constructor(tree: SourceTree, site: StaticSite) {
    this.#tree = tree
    this.#site = site
  }

  addPost(path: string, { likely: address, slug }: Addressed): void {
    const file = `${slug}.md`
    this.#posts.set(path, file)
    if (address === undefined) return
    this.addresses.set(path, address)
    const key = addressKey(address)
    if (!this.#posts.has(key)) this.#posts.set(key, file)
  }

  /** Rewrites the destinations of a document, which need not be a post. */
  of(path: string): DocumentDestinations {
    const images = new Map<string, ImportedImage>()
    const rewrite: DocumentDestinations['rewrite'] = (url, changed) => {
      const found = inlineImage(url) ?? this.#resolve(path, url)
      if (found === undefined) return url
      changed?.(changes[found.kind])
      if (found.image !== undefined) images.set(found.image.path, found.image)
      return found.to
    }
    const run: Step['run'] = (body, { changed }) =>
      rewriteDestinations(body, (url) => rewrite(url, changed))
    return { images, rewrite, step: { name: 'links and images', run } }
  }

  #resolve(from: string, url: string): Resolved | undefined {
    const [, rawPath = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(this.#inSite(url) ?? '') ?? []
    if (rawPath === '' || /\{[{%]/.test(url)) return undefined
    const path = decoded(rawPath)
    if (imageExtension(path) === null) {
      const post = this.#findPost(from, path)
      return post === undefined
        ? this.#pageOf(from, rawPath, rest)
        : { kind: 'post', to: `./${encode(post)}${rest}` }
    }
    const to = this.#findFile(from, path)
    const type = to === undefined ? undefined : this.#tree.imageType(to)
    if (to !== undefined && type !== undefined) return imageOf(to, type, this.#tree)
    const what = to === undefined ? 'is not in the source' : 'is not a valid image'
    this.#tree.report.add('left', `image that ${what}`, `${from} (${url})`)
    return this.#pageOf(from, rawPath, rest)
  }

  #pageOf(from: string, path: string, rest: string): Resolved | undefined {
    const page = path.replace(/(?:\/(?:_?index|readme))?\.(?:md|mdx|markdown)$/i, '')
    const kind = page === path ? 'path' : 'page'
    const note = this.#noteFor(from, path, kind === 'page')
    if (note !== undefined) this.#tree.report.add('left', note, `${from} (${path})`)
    if (note === missingFile) return undefined
    const { base, roots, addsBase } = this.#site
    if (path.startsWith('/') && kind === 'path' && !addsBase) return undefined
    const [, aliased] = /^(?:@site\/static|@site|~|@)?\/(.*)$/.exec(page) ?? []
    // A link to a file is relative to the file; a link to a page is relative to the page's URL.
    const address = kind === 'page' ? undefined : this.addresses.get(from)
    if (address !== undefined && aliased === undefined)
      return { kind, to: posix.join(folderOf(address), page) + rest }
    const [below = ''] = this.#belowBase(`/${aliased}`)
    const file = aliased === undefined ? posix.join(posix.dirname(from), page) : below.slice(1)
    const root = roots.find((name) => name !== '' && file.startsWith(`${name}/`)) ?? ''
    return { kind, to: posix.join('/', base, `/${file.slice(root.length)}`) + rest }
  }

  #noteFor(from: string, path: string, isPage: boolean): string | undefined {
    const isFile = isPage || (/\.(?!html?$)\w{2,5}$/i.test(path) && imageExtension(path) === null)
    const isMissing = isFile && this.#findFile(from, path) === undefined
    return !isFile || isMissing !== isPage ? undefined : isPage ? missingFile : linkedFile
  }

  /** Returns the path of a URL in the site; undefined for a URL outside of the site. */
  #inSite(url: string): string | undefined {
    const host = this.#site.url?.replace(/^https?:\/\//, '')
    const [, found, path] = /^(?:https?:)?\/\/([^/]+)(\/.*)?$/.exec(url) ?? []
    if (found === undefined) return /^[a-z][a-z0-9+.-]*:/i.test(url) ? undefined : url
    if (found !== host || path === undefined) return undefined
    const plain = decoded(path.split(/[?#]/, 1)[0] ?? '')
    const isKnown = this.#posts.has(addressKey(plain)) || this.#fileAtRoot(plain) !== undefined
    return isKnown ? path : undefined
  }

  #findFile(from: string, path: string): string | undefined {
    const folder = posix.dirname(from)
    const name = posix.basename(from).replace(/\.\w+$/, '')
    const isThere = (file: string) => this.#tree.has(file)
    const relative = (...parts: readonly string[]) =>
      path.startsWith('/') ? undefined : [posix.join(...parts, path)].find(isThere)
    return (
      relative(folder) ??
      this.#fileAtRoot(`/${path.replace(/^(?:@site|~|@)?\//, '')}`) ??
      relative(folder, name) ??
      // Layouts, plugins, mounts and copies use folders that no configuration names.
      this.#tree.endingWith(path.replace(/^(?:\.{0,2}\/)+/, ''))
    )
  }

  #belowBase(path: string): readonly string[] {
    const { base } = this.#site
    return base !== '' && path.startsWith(`${base}/`) ? [path.slice(base.length), path] : [path]
  }

  #fileAtRoot(path: string): string | undefined {
    return this.#belowBase(path)
      .flatMap((below) =>
        this.#site.roots.map((root) => posix.join(root, below).replace(/^\//, '')),
      )
      .find((file) => this.#tree.has(file))
  }

  #findPost(from: string, path: string): string | undefined {
    const find = (keys: readonly string[]) =>
      keys.map((key) => this.#posts.get(key)).find((file) => file !== undefined)
    const aliased = /^(?:@site|~|@)?\/(.*)$/.exec(path)?.[1]
    const starts = [...(aliased === undefined ? [posix.dirname(from)] : []), ...this.#site.roots]
    const byFile = find(
      starts
        .map((start) => posix.join(start, aliased ?? path))
        .flatMap((name) => [name, `${name}.md`, `${name}.mdx`, `${name}/index.md`]),
    )
    const paths = [path, ...this.#belowBase(path), this.#site.base + path]
    if (path.startsWith('/')) return find(paths.map(addressKey)) ?? byFile
    const address = this.addresses.get(from)
    if (byFile !== undefined || address === undefined) return byFile
    // A site with trailing slashes resolves links relative to the page itself.
    const folders = [folderOf(address), `${address}/`]
    return find(folders.map((folder) => addressKey(posix.join(folder, path))))
  }
}

/** The destinations of one document and the images that it uses. */
export interface DocumentDestinations {
  readonly images: ReadonlyMap<string, ImportedImage>
  /** Rewrites a destination relative to `posts`; unchanged when it leads out of the workspace. */
  rewrite(url: string, changed?: (what: string) => void): string
  readonly step: Step
}

function imageOf(file: string, extension: string, tree: SourceTree): Resolved {
  // A workspace ignores hidden folders, and a build refuses a name with another type.
  const visible = file.replace(/(^|\/)\./g, '$1_')
  const named = visible.toLowerCase().replace(/\.jpeg$/, '.jpg')
  const path = `media/${named.endsWith(extension) ? visible : visible + extension}`
  const image = { path, bytes: () => tree.image(file) }
  return { kind: 'image', to: `../${encode(path)}`, image }
}

function inlineImage(url: string): Resolved | undefined {
  const [, data = ''] = /^data:image\/\w+;base64,([A-Za-z0-9+/=\s]+)$/.exec(url) ?? []
  const bytes = Buffer.from(data, 'base64')
  const type = imageTypeOf(bytes)
  if (type === undefined) return undefined
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const path = `media/inline/${name}${type}`
  return { kind: 'inline', to: `../${encode(path)}`, image: { path, bytes: () => bytes } }
}

const changes = {
  image: 'image → copy in media',
  inline: 'image in the text → file in media',
  post: 'link to a post → its file',
  page: 'link to the file of a page → its URL',
  path: 'relative link → path from the root',
}

/** `](url)`, `](<url>)`, `](url "title")`; parentheses in a URL are balanced one level deep. */
const inline =
  /(\]\([ \t]?\n?[ \t]?)(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)(?=\)|[ \t\n]{1,3}[)"'(])/g
/** `[label]: url`, but not a footnote. */
const definition = /^([ \t>]{0,12}\[(?!\^)[^\]\n\r\u2028\u2029]+\]:[ \t]*)(<[^<>\n]*>|\S+)/gm
const tag = /<[a-zA-Z][^<>]*>/g
const attribute =
  /(\s(?:src|srcset|href|poster)\s{0,9}=\s{0,9})("[^"\n]*"|'[^'\n]*'|[^\s"'<>{}]+)(?=[\s/>])/g

/** Rewrites only the destinations in a text. @param rewrite maps a destination, decoded from HTML, to its new form */
export function rewriteDestinations(body: string, rewrite: (url: string) => string): string {
  const made = ([, start = '', url = '']: readonly string[]) => start + markdownUrl(url, rewrite)
  const markdown = replaceOutsideCode(replaceOutsideCode(body, inline, made), definition, made)
  return replaceOutsideCode(markdown, tag, ([all = '']) =>
    all.replace(attribute, (_, name: string, value: string) => {
      // `srcset` has several URLs.
      const several = (text: string) => text.replace(/(?<=^|,\s{0,9})[^\s,]\S*(?<!,)/g, rewrite)
      return name + htmlUrl(value, /srcset/.test(name) ? several : rewrite)
    }),
  )
}

function markdownUrl(written: string, rewrite: (url: string) => string): string {
  const isPointed = written.startsWith('<') && written.endsWith('>')
  const url = (isPointed ? written.slice(1, -1) : written).replace(/\\([()[\]_*<>\\])/g, '$1')
  const made = rewrite(url)
  if (made === url) return written
  return isPointed || /[\s()]/.test(made) ? `<${made}>` : made
}

function htmlUrl(written: string, rewrite: (url: string) => string): string {
  const [, sign = '', text = ''] = /^(["']?)([\s\S]*)\1$/.exec(written) ?? []
  const url = text.trim().replaceAll('&amp;', '&')
  const made = rewrite(url)
  if (made === url) return written
  const quote = sign || '"'
  return quote + made.replaceAll('&', '&amp;').replaceAll(quote, '%22') + quote
}

/** Normalizes a URL: removes a trailing slash, `.html` and `index`. */
function addressKey(address: string): string {
  const plain = decoded(address).replace(/(?:\/index)?(?:\.html?)?$/, '')
  return `address ${trimmedEnd(plain, '/').toLowerCase()}`
}

function folderOf(address: string): string {
  return address.endsWith('/') ? address : `${posix.dirname(address)}/`
}

function encode(path: string): string {
  return path.replace(
    /[\s()<>"'\\%?#[\]*`]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

const styles: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title.html',
  pretty: '/:categories/:year/:month/:day/:title/',
  none: '/:categories/:title.html',
}

/** Returns the pattern of a Jekyll style name, or the pattern itself. */
export function jekyllPermalink(pattern: string): string {
  const whole = (styles[pattern] ?? pattern).replace(':output_ext', '.html')
  return whole.startsWith('/') ? whole : `/${whole}`
}

const inWords = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })

export type Places = Readonly<Record<string, string | undefined>>

/** Fills the placeholders of a pattern, such as `:year` or `:slug`. @param own values of further placeholders */
export function fillPermalink(pattern: string, head: PostHead, own: Places = {}): string {
  const { day, file, slug } = head
  const name = baseName(file)
  const [year = '', month = '', dayOfMonth = ''] = day.split('-')
  const monthname = inWords.format(new Date(day))
  const places: Places = {
    ...{ year, short_year: year.slice(2), month, i_month: String(Number(month)) },
    ...{ short_month: monthname.slice(0, 3), monthname },
    ...{ day: dayOfMonth, i_day: String(Number(dayOfMonth)) },
    ...{ title: slug, slug, slugorfilename: slug, slugorcontentbasename: slug },
    ...{ name, filename: name, contentbasename: name },
    ...own,
  }
  const filled = pattern.replace(
    /:([a-z_]+)(?:\[(\d*):(\d*)\])?/g,
    (place, key: string, start?: string, end?: string) => {
      const value = places[key]
      if (value === undefined || start === undefined) return value ?? place
      // `:sections[1:]` of Hugo: some segments of a path.
      return value
        .split('/')
        .slice(Number(start), Number(end) || undefined)
        .join('/')
    },
  )
  return filled.replace(/\/{2,}/g, '/')
}

/** Returns the slug at the end of a URL; the slug of the file if the URL contains it or ends with a number. */
export function slugInAddress(address: string | undefined, slug: string): string {
  const segments = address?.split('/').map((segment) => lastSegment(segment)) ?? []
  const last = lastSegment(address ?? '')
  return segments.includes(slug) || last === '' || /^\d{1,4}$/.test(last) ? slug : last
}

/** A post with its URL in the old site. */
export interface Addressed {
  readonly address: string | undefined
  /** The address, or a guess if only the programs of the site know it. */
  readonly likely?: string | undefined
  readonly slug: string
  /** The date that `links.post` gives it: `2020-07-01`. */
  readonly day: string
  /** The date that the URL in the site has, also before the publication. @default the same */
  readonly ownDay?: string
  /** False for a draft, which has no URL in the site. */
  readonly isPublic: boolean
}

/** Returns the pattern for `links.post` that fits the most public posts; `/{slug}/` if it fits less than a tenth. */
function patternOf(posts: readonly Addressed[]): string {
  const votes = new Map<string, number>()
  for (const post of posts) {
    const pattern = patternFor(post)
    if (pattern !== undefined) votes.set(pattern, (votes.get(pattern) ?? 0) + Number(post.isPublic))
  }
  const [best = '', count = 0] =
    [...votes].sort(([a, x], [b, y]) => y - x || a.length - b.length || (a < b ? -1 : 1))[0] ?? []
  // A slug may be in the URL of a single post by chance.
  return best === '' || 10 * count < posts.length ? '/{slug}/' : best
}

function patternFor({ slug, day, ownDay = day, ...post }: Addressed) {
  const { likely: address = post.address } = post
  if (address === undefined) return undefined
  const date = ownDay.split('-')
  const names = ['{year}', '{month}', '{day}']
  let part = 0
  const segments = decoded(address).split('/')
  const at = segments.findLastIndex((segment) => segment === slug || segment === `${slug}.html`)
  const made = segments.map((segment, index) => {
    if (index === at) return segment.replace(slug, '{slug}')
    if (part < 3 && segment === date[part]) return names[part++] ?? segment
    return encodeURI(segment)
  })
  // Without its slug, only a date tells the URL of a post from others.
  return at === -1 && part === 0 ? undefined : made.join('/')
}

/** Returns the pattern for `links.post`, and counts the public posts that get their URL from it. */
export function addressesOf(posts: readonly Addressed[]): NonNullable<Ledger['addresses']> {
  const pattern = patternOf(posts)
  const all = posts.filter(({ isPublic }) => isPublic)
  const given = all.filter((post) => givesAddress(pattern, post)).length
  return { pattern, given, posts: all.length }
}

/** True when a pattern gives the URL of a post. */
export function givesAddress(pattern: string, { address, slug, day }: Addressed): boolean {
  if (address === undefined) return false
  const [year = '', month = '', dayOfMonth = ''] = day.split('-')
  const values: Readonly<Record<string, string>> = { slug, year, month, day: dayOfMonth }
  const made = pattern.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  return decoded(made) === decoded(address)
}
