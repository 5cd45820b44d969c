// Finds the posts among the files of a site, by folder names.
import { posix } from 'node:path'
import { UseError } from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import { trimmedEnd, wordSet } from '../parts.ts'
import type { PostFile } from '../site.ts'
import { readSource } from './front.ts'
import { momentInPath } from './post-head.ts'
import type { SourceTree } from './source-tree.ts'

/** How to find the files of a generator. */
export interface FolderRules extends NamedLanguages {
  /** The folder of posts, if named by the user. */
  readonly posts: string | undefined
  /** True for a file that may be content of the generator. */
  isContent(path: string): boolean
  /** Extensions that the generator reads as posts. @default Markdown */
  readonly markup?: RegExp
  /** Reads the configuration of a file. */
  stated?(path: string): Omit<PostFile, 'path'>
  /** Returns why a file of content is a page, not a post. */
  pageReason?(path: string): string | undefined
  /** True if all content is posts, whatever its folders are called. */
  readonly isExact?: boolean
  /** Returns the path of a page in the site. @default the path of its file */
  pathInSite?(path: string): string
}

const markdown = /\.(?:md|markdown|mdx|mdown|mkd)$/i
const otherMarkup =
  /\.(html?|mdx|markdown|mdoc|pdc|org|ad|adoc|asciidoc|textile|njk|liquid|webc|rst|ipynb|tex|hbs|pug|haml|ejs|erb|txt|rmd|qmd)$/i

/** Reports a file in a folder of posts in a language that is not read, with a way to convert it. */
export function reportMarkup(report: Ledger, path: string, isPost = true): void {
  const end = otherMarkup.exec(path)?.[1]?.toLowerCase() ?? ''
  // Only posts are documents in these languages.
  const isDocument = /^(?:rst|org|ad|adoc|asciidoc|textile|pdc|mdoc)$/.test(end)
  if (end === '' || !(isPost || isDocument)) return
  const program = end.startsWith('a') ? 'npx downdoc' : 'pandoc -t gfm'
  const way = isDocument ? `: convert it with \`${program}\`` : ''
  const reason = `\`.${end}\` in a folder of posts is not read${way}`
  report.settle(path, 'skipped', reason, isPost && isDocument ? 'failed' : 'files')
}

/** A folder of posts, by its name. */
export const blogLike: RegExp =
  /(?:^|\/)(?:_?posts?|_drafts|blogs?|articles?|news|writing|journal|essays|notes|entries|changelog|releases)\//i
const never =
  /(?:^|\/)(?:node_modules|\.github|\.vscode|test|tests|__tests__|fixtures|templates|archetypes|i18n|versioned_docs|examples?)\//i
const noPost =
  /(?:^|\/)(?:readme|license|contributing|changelog|code[-_]of[-_]conduct|security|governance|maintainers|404|agents|claude)\.\w+$/i
const hidden =
  /(?:^|\/)(_?drafts?|_?unpublished|_private|_hidden|_wip|_trash)\/|\.drafts?(?=\.\w+$)/i

/**
 * Finds posts in the named folder, else in folders whose names indicate posts, else in all content. Files in a folder
 * of drafts are drafts. Every other file of content is settled as a page, with its reason.
 */
export function findPosts(tree: SourceTree, rules: FolderRules, report: Ledger): PostFile[] {
  const { posts, isContent, isExact = posts !== undefined, pathInSite: of = (it) => it } = rules
  const blogAt = (path: string) => (isExact ? 0 : blogLike.exec(path)?.index)
  const all = posts === undefined ? tree.files.filter(isContent) : tree.below(posts)
  const files = all.filter((path) => {
    const at = blogAt(of(path))
    // Names of folders below a folder of posts are ignored.
    const isOutside = !isExact && never.test(of(path).slice(0, at))
    return !isOutside && isPage(path, at !== undefined, rules, report)
  })
  const inBlog = files.filter((path) => blogAt(of(path)) !== undefined)
  // A single file is not a blog. Pages without a date are excluded later anyway.
  const hasBlog = isExact || inBlog.length > 1
  const chosen = hasBlog ? inBlog : files.filter((path) => !noPost.test(path))
  // Without a folder of posts, any text may be one.
  if (!hasBlog) for (const path of all) reportMarkup(report, path, false)
  const known = new Set(chosen)
  for (const path of files) if (!known.has(path)) settlePage(path, tree, report)
  const found = chosen.map((path) => {
    const [name, folder] = hidden.exec(path) ?? []
    const doubt = name && `\`${name}\` in its name may withhold it`
    const { withheld = folder ? `in a folder \`${folder}\`` : doubt, ...stated } =
      rules.stated?.(path) ?? {}
    return { path, withheld, isPost: hasBlog && isPost(path, posts), ...stated }
  })
  return postsOfLanguage(found, report, rules)
}

/** False for the list of posts in a folder, such as `blog/index.md`, and for other files that are no Markdown of a post. */
function isPost(path: string, posts = ''): boolean {
  const folder = posix.dirname(path)
  const isIndex = /^index\./i.test(posix.basename(path))
  const isList = isIndex && (folder === posts || blogLike.test(`${posix.basename(folder)}/`))
  return markdown.test(path) && !noPost.test(path) && !isList
}

function isPage(path: string, isInBlog: boolean, rules: FolderRules, report: Ledger): boolean {
  const { posts, markup = markdown } = rules
  const isMarkup = markup.test(path)
  if (!isMarkup && isInBlog) reportMarkup(report, path)
  if (!isMarkup) return false
  const isHidden = /(?:^|\/)\./.test(path.slice(posts?.length))
  const isSection = /(?:^|\/)_index(?:\.[\w-]+)?\.\w+$/.test(path)
  const reason = isSection ? 'section' : rules.pageReason?.(path)
  if (isHidden) report.settle(path, 'skipped', 'its name, or that of its folder, begins with a dot')
  else if (reason !== undefined) report.settle(path, 'pages', reason)
  return !isHidden && reason === undefined
}

/** Reports a file outside of the folders of posts; one with a date may be a post. */
function settlePage(path: string, tree: SourceTree, report: Ledger): void {
  const isDated =
    momentInPath(path) !== undefined ||
    Object.keys(readSource(tree, path)?.values ?? {}).some((key) => /^(?:pub)?date$/i.test(key))
  // The folder that contains the folders of dates and of single posts.
  const [folder = ''] = /^(?:(?!\d+\/|[^/]+\/index\.)[^/]+\/)*/.exec(path) ?? []
  const way = `with a date, outside of the folders of posts: --posts ${trimmedEnd(folder, '/') || '.'}`
  report.settle(path, 'pages', isDated ? way : 'outside the folders of posts')
}

/** ISO 639-1 codes into which sites are translated. Excludes names such as `go` or `js`. */
const codes = wordSet(
  'ar be bg bn bs ca cs da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km ko lt lv mk ml mn mr ms my nb ne nl nn no pl pt pt-br ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zh-cn zh-tw zh-hans zh-hant',
)

interface NamedLanguages {
  readonly language: string | undefined
  readonly configured?: string | undefined
  /** The languages that names may state, such as `post.de.md`. @default those of names with translations */
  readonly languages?: readonly string[] | undefined
}

/**
 * Selects the posts of one language: the requested one, else the configured one, else English, else the one with the
 * most posts. Reports the others with the flag that imports them.
 *
 * @throws UseError when the requested language has no posts
 */
function postsOfLanguage(
  files: readonly PostFile[],
  report: Ledger,
  rules: NamedLanguages,
): PostFile[] {
  const { language: named, configured } = rules
  const byLanguage = filesByLanguage(files, rules)
  const chosen = named?.toLowerCase().replace('_', '-')
  const known = [...byLanguage.keys()].filter(Boolean).join(', ') || 'none'
  if (chosen !== undefined && !byLanguage.has(chosen))
    throw new UseError(
      `No posts are in the language ${chosen}. Languages in their paths: ${known}.`,
    )
  const [largest] = [...byLanguage].sort(
    ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
  )
  const wishes = [chosen, configured?.toLowerCase(), '', 'en', largest?.[0]]
  const main = wishes.find((code) => code !== undefined && byLanguage.has(code)) ?? ''
  report.languages = [...new Set([main, ...byLanguage.keys()])]
  for (const [language, others] of byLanguage) {
    const text = `posts in the language ${language}: --language all makes one of each`
    for (const { path } of language === main ? [] : others) report.settle(path, 'skipped', text)
  }
  return byLanguage.get(main) ?? []
}

function filesByLanguage(
  files: readonly PostFile[],
  { configured = '', languages = translatedInto(files) }: NamedLanguages,
) {
  const depth = [0, 1, 2, 3, 4].findIndex((at) => {
    const found = new Set(files.map(({ path }) => languageNamed(path.split('/')[at])))
    // A single language code may be another kind of name.
    return found.size - Number(found.has('')) > 1
  })
  const byLanguage = new Map<string, PostFile[]>()
  for (const file of files) {
    const { place, named } = splitLanguage(file.path, languages)
    const folder = file.path.split('/')[depth]
    const language = named || languageNamed(folder) || configured.toLowerCase()
    byLanguage.set(language, byLanguage.get(language) ?? [])
    byLanguage.get(language)?.push({ place, ...file })
  }
  return byLanguage
}

/** Returns a path without the language in its name, and the language: `post.md` and `de` for `post.de.md`. */
function splitLanguage(path: string, languages: readonly string[]) {
  const [, start = '', code = '', end = ''] = /^(.+)\.([\w-]{2,10})(\.\w+)$/.exec(path) ?? []
  const named = code.toLowerCase()
  return languages.includes(named) ? { place: start + end, named } : { place: path, named: '' }
}

/** Returns the languages of names that several files have. */
function translatedInto(files: readonly PostFile[]): readonly string[] {
  const all = files.map(({ path }) => splitLanguage(path, [...codes]))
  const places = all.map(({ place }) => place)
  // Cost: O(files) for each of these names.
  const isShared = (place: string) => places.indexOf(place) !== places.lastIndexOf(place)
  return all.flatMap(({ place, named }) => (named !== '' && isShared(place) ? named : []))
}

/** Returns the path of a post without its language, which all translations share. */
export function placeOf({ path, place = path }: PostFile): string {
  const parts = place.replace(/(?:\/index)?\.\w+$/, '').split('/')
  return parts.filter((part) => languageNamed(part) === '').join('/')
}

/** Returns the language of a name; `''` for none. */
export function languageNamed(name = ''): string {
  const code = name.toLowerCase().replace('_', '-')
  return codes.has(code) ? code : ''
}
