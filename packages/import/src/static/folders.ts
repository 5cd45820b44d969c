// Finds the posts among the Markdown files of a site, by folder names.
import type { ImportReport } from '../report.ts'
import type { PostFile } from './generator.ts'
import { type NamedLanguages, postsOfLanguage } from './languages.ts'
import type { SourceTree } from './source-tree.ts'

/** How to find the files of a generator. */
export interface FolderRules extends NamedLanguages {
  /** The folder of posts, if named by the user. */
  readonly posts: string | undefined
  /** True for a file that may be content of the generator. */
  isContent(path: string): boolean
  /** Reads the configuration of a file. */
  stated?(path: string): Pick<PostFile, 'withheld' | 'defaults'>
}

const markdown = /\.(?:md|markdown|mdx)$/i
const otherMarkup =
  /(\.(?:html?|org|adoc|asciidoc|textile|njk|liquid|rst|ipynb|tex|hbs|pug|haml|ejs|erb))$/i

/** Reports a file in a folder of posts in a language that is not read. */
export function reportMarkup(report: ImportReport, path: string): void {
  const [, end] = otherMarkup.exec(path) ?? []
  if (end === undefined) return
  const text = `\`${end.toLowerCase()}\` in a folder of posts: not imported, as it is no Markdown`
  report.add('left', text, path)
}

/** Folder names that indicate posts. */
const blogLike =
  /(?:^|\/)(?:_?posts?|blogs?|articles?|news|writing|journal|essays|notes|entries|changelog|releases)(?:\/|$)/i
const never =
  /(?:^|\/)(?:node_modules|\.github|\.vscode|test|tests|__tests__|fixtures|templates|archetypes|i18n|versioned_docs|examples?)\//i
const noPost =
  /(?:^|\/)(?:readme|license|contributing|changelog|code[-_]of[-_]conduct|security|governance|maintainers|_index|404)\.\w+$/i
const hiddenFolder = /(?:^|\/)(_?drafts?|_?unpublished|_private|_hidden|_wip|_trash)\//i

/**
 * The Markdown files in the named folder, else in folders that indicate posts, else all content. Files in a folder of
 * drafts are drafts.
 */
export function findPosts(
  tree: SourceTree,
  rules: FolderRules,
  report: ImportReport,
): readonly PostFile[] {
  const { posts, isContent } = rules
  const files = (posts === undefined ? tree.files : tree.below(posts)).filter(
    (path) => markdown.test(path) && !noPost.test(path) && !/(?:^|\/)_[^/]*$/.test(path),
  )
  const content =
    posts === undefined ? files.filter((path) => isContent(path) && !never.test(path)) : files
  const inBlog = content.filter((path) => blogLike.test(path.slice(0, path.lastIndexOf('/') + 1)))
  // A single file is no blog. Pages without a date are excluded later anyway.
  const chosen = posts === undefined && inBlog.length > 1 ? inBlog : content
  for (const path of posts === undefined ? tree.files.filter(isContent) : tree.below(posts)) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    if (posts !== undefined || (blogLike.test(folder) && !never.test(path)))
      reportMarkup(report, path)
  }
  const found = chosen.map((path) => {
    const [, folder] = hiddenFolder.exec(path) ?? []
    const withheld = folder === undefined ? undefined : `in a folder \`${folder}\``
    return { path, withheld, ...rules.stated?.(path) }
  })
  return postsOfLanguage(found, report, rules)
}
