// Finds the posts among the files of a site, by folder names.
import { Ledger } from '../ledger.ts'
import { trimmedEnd } from '../parts.ts'
import { readSource } from './front.ts'
import type { PostFile } from './generator.ts'
import { type NamedLanguages, postsOfLanguage } from './languages.ts'
import { momentInPath } from './moments.ts'
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

/** Folder names that indicate posts. */
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
