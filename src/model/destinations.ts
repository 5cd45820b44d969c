// Resolves destinations in a post to published images or other posts. Uses the listed names, never the disk.
import { posix } from 'node:path'
import decodePart from 'fast-decode-uri-component'
import { downloadsFolder, imageTypes } from '../api/media.ts'
import { encodePart, type PostPlace, postLink, postPlaces } from '../api/paths.ts'
import type { RawWorkspace } from '../content/raw.ts'
import { imageExtension } from '../content/read-file.ts'
import { isRelativePath, isRootPath, nearest } from '../content/source.ts'
import { type DiagnosticCode, type Problem, quote } from '../diagnostics.ts'
import { splitFileName } from './identifier.ts'
import { fileStem, type Reading } from './read-fields.ts'

/** A published image or download. */
export interface MediaFile {
  readonly source: string
  /** SHA-256 of its bytes, hexadecimal. */
  readonly sha256: string
  /** Path below the public folder: `media/acme/0f….png`. */
  readonly path: string
  /** Width of a smaller copy, in pixels. */
  readonly width?: number
}

/** A resolved destination. */
export interface Destination {
  /** Percent-encoded URL; null keeps the destination as written. */
  readonly url: string | null
  readonly media?: MediaFile
  readonly problem?: Problem
  /** The anchor in another post, which the fragment of the URL names. */
  readonly anchor?: {
    /** Path of the post below the content folder, in normal form C. */
    readonly file: string
    /** Fragment, decoded, without `#`. */
    readonly name: string
  }
}

/** When a scheduled post is published, in milliseconds since 1970; 0 for a published one. */
type Due = { readonly due: number }

/** A post as a link target. The URL of an item or an unparsed file is not known. */
type LinkedPost = (Omit<PostPlace, 'workspace'> & Due) | 'draft' | 'expired' | 'unknown'

/** Why the readers of another post get no URL of a post, and how to give it one. */
const withheld = {
  draft: ['is a draft, which has no URL', 'Publish the draft'],
  expired: ['has expired, so it has no URL', 'Change its `expiresAt`'],
  scheduled: ['is published later, so it has no URL yet', 'Build again then'],
}

/** Files that front matter and bodies of posts can refer to, in one workspace. */
export class Destinations {
  readonly settings: LinkSettings
  readonly #workspace: string
  readonly #folders: readonly string[]
  readonly #roots: readonly string[]
  readonly #isPrivate: boolean
  /** Images by path in normal form C: the path on disk, and the SHA-256 or the read error. */
  readonly #images: ReadonlyMap<string, readonly [source: string, image: string | Problem]>
  readonly #posts = new Map<string, LinkedPost>()

  /** @param isPrivate true if reading the workspace requires a key */
  constructor({ id, files, folders }: RawWorkspace, isPrivate: boolean, settings: LinkSettings) {
    this.settings = settings
    this.#workspace = id
    this.#folders = folders.all.map((path) => path.normalize('NFC'))
    this.#roots = folders.roots.map((path) => path.normalize('NFC'))
    this.#isPrivate = isPrivate
    this.#images = new Map(
      files.flatMap(({ path, role, content }) =>
        role.kind === 'image' ? [[path.normalize('NFC'), [path, content] as const]] : [],
      ),
    )
  }

  addPost(file: string, post: LinkedPost): void {
    this.#posts.set(file.normalize('NFC'), post)
  }

  /** @param file path of the post @param url a URL with another start than a path of the content stays as written */
  resolve(file: string, kind: 'image' | 'link', url: string): Destination {
    const isRoot = isRootPath(url)
    if (isRoot ? this.#roots.length === 0 : !isRelativePath(url)) return { url: null }
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/su.exec(url) ?? []
    const decoded = (decodePart(path) ?? path).normalize('NFC')
    if (isRoot) return this.#rootImage(file, url, decoded)
    const target = posix.join(posix.dirname(file.normalize('NFC')), decoded)
    const isInside = this.#folders.some((folder) => target.startsWith(`${folder}/`))
    if (!isInside || /^\/|[\\\0]/.test(decoded)) return this.#outside(url)
    const isFile = /\.\w+$/u.test(path) && !/\.(?:md|markdown|mdx)$/iu.test(path)
    if (kind === 'link' && !isFile) return this.#post(file, url, target, rest)
    if (kind === 'image' || imageExtension(target) !== null) return this.#image(file, url, target)
    const download = this.#images.get(target)
    if (download !== undefined) return this.#published(url, target, download)
    return this.#broken(
      'unpublished-file',
      `${quote(url)} is not published: only posts, images and the types in \`media.files\` are.`,
      'Put the file where your site serves it and link to its full URL, or add its type to `media.files`.',
    )
  }

  /** @param path from the root of the site: an image in one of the roots, or a file that only the site serves */
  #rootImage(file: string, url: string, path: string): Destination {
    const targets = this.#roots.flatMap((root) => pathBelow(root, path) ?? [])
    const target = targets.find((each) => this.#images.has(each)) ?? targets[0]
    if (target === undefined) return this.#outside(url)
    // Files that are not images, and all files of a private workspace, are left to the site.
    if (imageExtension(target) === null || this.#isPrivate) return { url: null }
    const image = this.#images.get(target)
    if (image !== undefined) return this.#published(url, target, image)
    const message = `There is no image ${quote(url)} below \`media.roots\`.`
    return this.#broken('missing-image', message, 'Put it in one of these folders.', () => {
      const image = this.#nearest('image', target)
      const root = this.#roots.find((each) => image?.startsWith(`${each}/`))
      return root === undefined ? relativePath(image, file) : image?.slice(root.length)
    })
  }

  #image(file: string, url: string, target: string): Destination {
    const extension = imageExtension(target)
    if (extension === null) {
      return this.#broken(
        'unsupported-image',
        `${quote(url)} is not an image type that quarry publishes; SVG files can run scripts.`,
        `Use one of ${[...imageTypes.keys()].join(', ')}.`,
      )
    }
    const image = this.#images.get(target)
    if (image === undefined) {
      const hint = 'Put it next to this file, or in "media".'
      const near = () => relativePath(this.#nearest('image', target), file)
      return this.#broken('missing-image', `There is no image ${quote(url)}.`, hint, near)
    }
    return this.#published(url, target, image)
  }

  #published(
    url: string,
    target: string,
    [source, image]: readonly [source: string, image: string | Problem],
  ): Destination {
    if (typeof image !== 'string') return this.#broken(image.code, image.message, image.hint)
    if (this.#isPrivate) {
      const message = `This workspace is private, and ${quote(url)} would be readable by anyone who knows its URL.`
      const hint = 'Host the image where you control who can read it, and use its full URL.'
      return { url: null, problem: { code: 'private-image', message, hint } }
    }
    const extension = posix.extname(target).toLowerCase().replace('.jpeg', '.jpg')
    const folder = imageTypes.has(extension) ? '' : `${downloadsFolder}/`
    const name = `${folder}${image.slice(0, 32)}${extension}`
    return {
      url: `${this.settings.baseUrl}/media/${encodePart(this.#workspace)}/${name}`,
      media: { source, sha256: image, path: `media/${this.#workspace}/${name}` },
    }
  }

  #post(file: string, url: string, target: string, rest: string): Destination {
    const post = this.#posts.get(target)
    if (post === undefined) {
      const hint = 'Use a path relative to this file.'
      const near = () => relativePath(this.#nearest('link', target), file)
      return this.#broken('broken-link', `There is no post ${quote(url)}.`, hint, near)
    }
    if (post === 'unknown') return { url: null }
    const own = this.#posts.get(file.normalize('NFC'))
    const due = typeof own === 'object' ? own.due : 0
    const isLater = typeof post === 'object' && this.settings.post !== null && post.due > due
    if (typeof post === 'string' || isLater) {
      const [reason, fix] = withheld[typeof post === 'string' ? post : 'scheduled']
      const message = `${quote(url)} ${reason}; the link stays as it is written.`
      const hint = `${fix}, or remove the link.`
      return { url: null, problem: { code: 'draft-link', severity: 'warning', message, hint } }
    }
    // `#top` refers to the top of any document (HTML, "indicated part of the document").
    const [, name = ''] = /#(?!top$)(.+)$/isu.exec(rest) ?? []
    const anchor = name && { anchor: { file: target, name: decodePart(name) ?? name } }
    if (this.settings.post === null) return { url: null, ...anchor }
    const link = postLink(this.settings.post, { ...post, workspace: this.#workspace })
    return { url: `${link}${encodeSuffix(rest)}`, ...anchor }
  }

  /** Finds a file with a similar name in the same folder, or a file with the same name elsewhere. */
  #nearest(kind: 'image' | 'link', target: string): string | undefined {
    const known = [...(kind === 'image' ? this.#images : this.#posts).keys()]
    const folder = posix.dirname(withoutIndex(target))
    const beside = known.filter((path) => posix.dirname(withoutIndex(path)) === folder)
    const name = pageName(target)
    const near = nearest(name, beside.map(pageName))
    const found = beside.find((path) => pageName(path) === near)
    return found ?? known.find((path) => pageName(path).toLowerCase() === name.toLowerCase())
  }

  #outside(url: string): Destination {
    return this.#broken(
      'outside-workspace',
      `${quote(url)} is outside the posts and images of this workspace.`,
      'Put the file below "posts" or "media" of the workspace.',
    )
  }

  /** @param near finds the path that was probably meant */
  #broken(
    code: DiagnosticCode,
    message: string,
    hint: string | undefined,
    near?: () => string | undefined,
  ): Destination {
    const severity = this.settings.broken
    if (severity === 'ignore') return { url: null }
    return { url: null, problem: { code, message, hint, severity, near } }
  }
}

/** `posts/hello/index.md` is the page `posts/hello.md`. */
function withoutIndex(path: string): string {
  return path.replace(/\/_?index(\.(?:md|markdown|mdx))$/u, '$1')
}

/** Returns the name of a file as it is in a slug, without the date and the extension of a post. */
function pageName(path: string): string {
  return splitFileName(fileStem(withoutIndex(path))).slug
}

/** Resolves a root-relative path of a site or project to a path below a root; undefined if it leads out of the root. */
function pathBelow(root: string, path: string): string | undefined {
  if (/[\\\0]/.test(path)) return undefined
  const inProject = `@site/${posix.basename(root)}/`
  const start = path.startsWith(inProject) ? inProject.length : path.startsWith('@site/') ? 6 : 0
  const target = posix.join(root, path.slice(start))
  return target.startsWith(`${root}/`) ? target : undefined
}

/** Returns the relative path to a file. @param from file that contains it */
function relativePath(file: string | undefined, from: string): string | undefined {
  if (file === undefined) return undefined
  const way = posix.relative(posix.dirname(from.normalize('NFC')), file)
  return way.startsWith('.') ? way : `./${way}`
}

/** Encodes only the characters that a query or fragment must not contain. */
function encodeSuffix(rest: string): string {
  return rest.replace(/%[0-9a-f]{2}|[^A-Za-z0-9\-._~:/?#@!$&+,=]/giu, (text) =>
    text.length === 3 && text.startsWith('%')
      ? text
      : encodePart(text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')),
  )
}

/** Resolves the image at a path of the front matter. An absolute URL is kept as written. */
export function readPicture(
  image: string | null,
  place: Parameters<Reading['report']>[0],
  reading: Reading,
  destinations: Destinations,
): Destination {
  const found = destinations.resolve(reading.file, 'image', image ?? '')
  if (found.problem !== undefined) reading.report(place, found.problem)
  return found
}

/** Severities of a broken link; `ignore` does not report it. */
export const brokenLinkSettings = ['error', 'warning', 'ignore'] as const

type BrokenLinks = (typeof brokenLinkSettings)[number]

/** Error message for any other value. */
export const brokenLinksMessage = 'must be "error", "warning" or "ignore"'

/** Settings of URLs. */
export interface LinkSettings {
  /** URL at which `public` is served, without a trailing slash; '' for URLs that begin with `/`. */
  readonly baseUrl: string
  /** URL template of posts, with placeholders such as `{slug}`; null keeps links to posts as written. */
  readonly post: string | null
  readonly broken: BrokenLinks
}

/** Optional settings. Those of a workspace override those of the configuration. */
export interface LinkInput {
  readonly baseUrl?: string | undefined
  readonly links?:
    | { readonly post?: string | undefined; readonly broken?: BrokenLinks | undefined }
    | undefined
}

/** Fills in the defaults. @param own settings of a workspace, validated @param given those of the configuration */
export function resolveLinks(own: LinkInput, given: LinkInput): LinkSettings {
  return {
    baseUrl: (own.baseUrl ?? given.baseUrl ?? '').replace(/(?<!\/)\/+$/, ''),
    post: own.links?.post ?? given.links?.post ?? null,
    broken: own.links?.broken ?? given.links?.broken ?? 'error',
  }
}

/** Returns why a text cannot be a base URL; null if it can. */
export function baseUrlProblem(text: string): string | null {
  const isPlain = safeUrl.test(text) && !/[?#]/.test(text)
  if (isPlain && /^https?:\/\/[^/@]+/.test(text) && URL.canParse(text)) return null
  return 'must be a URL such as https://content.example.com, without a query or fragment'
}

/** Returns why a text cannot be a URL template of posts; null if it can. */
export function postLinkProblem(text: string): string | null {
  const names = Object.keys(postPlaces).map((name) => `{${name}}`)
  const unknown = text.match(/\{[^{}]*\}/g)?.find((name) => !names.includes(name))
  if (unknown !== undefined)
    return `has an unknown placeholder "${unknown}"; the placeholders are ${names.join(', ')}`
  const rest = text.replace(/\{\w+\}/g, 'x')
  const isAddress = /^\/(?!\/)/.test(rest) || (/^https?:\/\//.test(rest) && URL.canParse(rest))
  if (isAddress && safeUrl.test(rest)) return null
  return 'must be a path such as /blog/{slug}, or an http or https URL with such a path'
}

/** Matches a URL without white space, and without characters that start HTML or end a Markdown link. */
const safeUrl = /^[A-Za-z0-9\-._~:/?#@!$&+,=%]+$/
