// Finds the posts of a site among its Markdown files, by the names of folders.
import type { ImportReport } from '../report.ts'
import type { PostFile } from './generator.ts'
import { type NamedLanguages, postsOfLanguage } from './languages.ts'
import type { SourceTree } from './source-tree.ts'

/** How the files of a generator are found. */
export interface FolderRules extends NamedLanguages {
  /** Folder of posts that was named. */
  readonly posts: string | undefined
  /** True for a file that may be content of the generator. */
  isContent(path: string): boolean
}

const markdown = /\.(?:md|markdown|mdx)$/i
/** Names of folders that hold posts. */
const blogLike =
  /(?:^|\/)(?:_?posts?|blogs?|articles?|news|writing|journal|essays|notes|entries|changelog|releases)(?:\/|$)/i
const never =
  /(?:^|\/)(?:node_modules|\.github|\.vscode|test|tests|__tests__|fixtures|templates|archetypes|i18n|versioned_docs|examples?)\//i
const noPost =
  /(?:^|\/)(?:readme|license|contributing|changelog|code[-_]of[-_]conduct|security|governance|maintainers|_index|404)\.\w+$/i

/**
 * Markdown files below the named folder, else below folders that are named as those of posts, else all content.
 * A file in a folder of drafts is a draft.
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
  // A single file is no blog: pages without a date are no posts anyway.
  const chosen = posts === undefined && inBlog.length > 1 ? inBlog : content
  const found = chosen.map((path) => ({ path, isDraft: /(?:^|\/)_?drafts\//i.test(path) }))
  return postsOfLanguage(found, report, rules)
}
