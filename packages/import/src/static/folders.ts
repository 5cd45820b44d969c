// Finds the posts among the files of a site, by folder names.
import { UseError } from 'quarry/authoring'
import { Ledger } from '../ledger.ts'
import { trimmedEnd } from '../parts.ts'
import { readSource } from './front.ts'
import type { PostFile } from './generator.ts'
import type { SourceTree } from './source-tree.ts'
import { momentInPath } from './withheld.ts'

/** How to find the files of a generator. */
export interface FolderRules extends NamedLanguages {
  /** The folder of posts, if named by the user. */
  readonly posts: string | undefined
  /** True for a file that may be content of the generator. */
  isContent(path: string): boolean
  /** Extensions that the generator reads as posts. @default Markdown */
  readonly markup?: RegExp
  /** Reads the configuration of a file. */
  stated?(path: string): Pick<PostFile, 'withheld' | 'defaults'>
}

const markdown = /\.(?:md|markdown|mdx|mdown|mkd)$/i
const otherMarkup =
  /\.(html?|org|adoc|asciidoc|textile|njk|liquid|webc|rst|ipynb|tex|hbs|pug|haml|ejs|erb|txt|rmd|qmd)$/i
const pandoc: Readonly<Record<string, string>> = {
  org: 'org',
  textile: 'textile',
  rst: 'rst',
  ipynb: 'ipynb',
  tex: 'latex',
  htm: 'html',
  html: 'html',
}

/** Reports a file in a folder of posts in a language that is not read, with a way to convert it. */
export function reportMarkup(report: Ledger, path: string): void {
  const end = otherMarkup.exec(path)?.[1]?.toLowerCase()
  if (end === undefined) return
  const format = pandoc[end]
  const way =
    format === undefined
      ? /^a/.test(end)
        ? ': convert it with `asciidoctor -b docbook5` and `pandoc -f docbook -t gfm`'
        : ''
      : `: convert it with \`pandoc -f ${format} -t gfm\``
  report.settle(path, 'skipped', `\`.${end}\` in a folder of posts is not read${way}`)
}

const blogLike =
  /(?:^|\/)(?:_?posts?|blogs?|articles?|news|writing|journal|essays|notes|entries|changelog|releases)\//i
const never =
  /(?:^|\/)(?:node_modules|\.github|\.vscode|test|tests|__tests__|fixtures|templates|archetypes|i18n|versioned_docs|examples?)\//i
const noPost =
  /(?:^|\/)(?:readme|license|contributing|changelog|code[-_]of[-_]conduct|security|governance|maintainers|404|agents|claude)\.\w+$/i
const hiddenFolder = /(?:^|\/)(_?drafts?|_?unpublished|_private|_hidden|_wip|_trash)\//i

/**
 * The files of posts in the named folder, else in folders that indicate posts, else in all content. Files in a folder
 * of drafts are drafts. Every other file of content is settled as a page, with its reason.
 */
export function findPosts(
  tree: SourceTree,
  rules: FolderRules,
  report: Ledger,
): readonly PostFile[] {
  const { posts, isContent, markup = markdown } = rules
  const isNamed = posts !== undefined
  const all = isNamed ? tree.below(posts) : tree.files.filter(isContent)
  const blogFolder = (path: string) => blogLike.exec(path)
  // Names decide nothing below a folder of posts.
  const isOutside = (path: string) =>
    !isNamed && never.test(path.slice(0, blogFolder(path)?.index ?? path.length))
  const files = all.filter((path) => {
    if (!markup.test(path) || isOutside(path)) return false
    if (
      path
        .slice(posts?.length)
        .split('/')
        .some((name) => name.startsWith('.'))
    ) {
      report.settle(path, 'skipped', 'its name, or that of its folder, begins with a dot')
      return false
    }
    const isSection = /(?:^|\/)_index(?:\.[\w-]+)?\.\w+$/.test(path)
    if (isSection) report.settle(path, 'pages', 'section')
    return !isSection
  })
  const inBlog = files.filter((path) => blogFolder(path) !== null)
  // A single file is no blog. Pages without a date are excluded later anyway.
  const hasBlog = !isNamed && inBlog.length > 1
  const chosen = new Set(
    hasBlog || isNamed ? (isNamed ? files : inBlog) : files.filter((path) => !noPost.test(path)),
  )
  for (const path of files) if (!chosen.has(path)) settlePage(path, tree, report)
  for (const path of all)
    if (!markup.test(path) && !isOutside(path) && (isNamed || blogFolder(path) !== null))
      reportMarkup(report, path)
  const found = [...chosen].map((path) => {
    const [, folder] = hiddenFolder.exec(path) ?? []
    const withheld = folder === undefined ? undefined : `in a folder \`${folder}\``
    return { path, withheld, ...rules.stated?.(path) }
  })
  return postsOfLanguage(found, report, rules)
}

/** Reports a file outside of the folders of posts; one with a date may be a post. */
function settlePage(path: string, tree: SourceTree, report: Ledger): void {
  // The folder above those of dates and of single posts.
  const names = path.split('/')
  const folders = names.slice(0, names.at(-1)?.startsWith('index.') === true ? -2 : -1)
  const dated = folders.findIndex((name) => /^\d+$/.test(name))
  const above = dated === -1 ? folders : folders.slice(0, dated)
  const folder = above.map((name) => `${name}/`).join('')
  const isDated =
    momentInPath(path) !== undefined ||
    Object.keys(readSource(tree, path, new Ledger())?.values ?? {}).some((key) =>
      /^(?:pub)?date$/i.test(key),
    )
  report.settle(
    path,
    'pages',
    isDated
      ? `with a date, outside of the folders of posts: --posts ${trimmedEnd(folder, '/') || '.'}`
      : 'in no folder of posts',
  )
}

/** ISO 639-1 codes into which sites are translated. Excludes names such as `go` or `js`. */
const codes: ReadonlySet<string> = new Set(
  'ar be bg bn bs ca cs da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km ko lt lv mk ml mn mr ms my nb ne nl nn no pl pt pt-br ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zh-cn zh-tw zh-hans zh-hant'.split(
    ' ',
  ),
)

interface NamedLanguages {
  /** The language to import. */
  readonly language: string | undefined
  /** The language of files whose paths name none. */
  readonly configured?: string | undefined
}

/**
 * Selects the posts of one language: the requested one, else the configured one, else English, else the one with the
 * most posts. Reports the others with the flag that imports them.
 *
 * @throws UseError when the requested language has no posts
 */
export function postsOfLanguage(
  files: readonly PostFile[],
  report: Ledger,
  { language: named, configured }: NamedLanguages,
): readonly PostFile[] {
  const depth = languageDepth(files)
  const byLanguage = new Map<string, PostFile[]>()
  for (const file of files) {
    const language = languageOf(file.path, depth) || (configured?.toLowerCase() ?? '')
    const known = byLanguage.get(language)
    if (known === undefined) byLanguage.set(language, [file])
    else known.push(file)
  }
  const chosen = named?.toLowerCase().replace('_', '-')
  if (chosen !== undefined && !byLanguage.has(chosen)) throw notFound(chosen, byLanguage)
  const main =
    [chosen, configured?.toLowerCase(), '', 'en'].find(
      (code) => code !== undefined && byLanguage.has(code),
    ) ?? largest(byLanguage)
  for (const [language, others] of byLanguage) {
    if (language === main) continue
    const text = `posts in the language ${language}: import them with --language ${language} into a workspace of their own`
    for (const { path } of others) report.settle(path, 'skipped', text)
  }
  return byLanguage.get(main) ?? []
}

function notFound(language: string, found: ReadonlyMap<string, unknown>): UseError {
  const names = [...found.keys()].filter((name) => name !== '').sort()
  const others =
    names.length === 0 ? 'No language is in their paths' : `There are ${names.join(', ')}`
  return new UseError(`No posts are in the language ${language}. ${others}.`)
}

/** The first depth at which at least two languages occur as folder names; -1 for none. */
function languageDepth(files: readonly PostFile[]): number {
  const found = [0, 1, 2, 3, 4].map((depth) => {
    const names = files.map(
      ({ path }) => path.split('/').at(depth)?.toLowerCase().replace('_', '-') ?? '',
    )
    return new Set(names.filter((name) => codes.has(name))).size
  })
  return found.findIndex((count) => count > 1)
}

/** The language in a path; `''` when it names none. */
function languageOf(path: string, depth: number): string {
  const [, suffix] = /\.([a-z]{2}(?:-[a-zA-Z]{2,4})?)\.\w+$/.exec(path) ?? []
  if (suffix !== undefined && codes.has(suffix.toLowerCase())) return suffix.toLowerCase()
  const folder =
    depth === -1 ? undefined : path.split('/').at(depth)?.toLowerCase().replace('_', '-')
  return folder !== undefined && codes.has(folder) ? folder : ''
}

function largest(byLanguage: ReadonlyMap<string, readonly PostFile[]>): string {
  const [first] = [...byLanguage].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
  return first?.[0] ?? ''
}

/** True for a folder name that is a language. */
export function isLanguage(name: string): boolean {
  return codes.has(name.toLowerCase().replace('_', '-'))
}
