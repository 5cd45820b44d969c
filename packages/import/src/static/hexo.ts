// Hexo: `source/_posts`, permalinks from `_config.yml`, and tags such as `asset_img`.
import { posix } from 'node:path'
import type { ImportContext } from '../site.ts'
import { fillPermalink } from './addresses.ts'
import { defineFromFiles } from './authors.ts'
import { readMap, rootsOf } from './config.ts'
import { findPosts } from './folders.ts'
import { textAt } from './front.ts'
import type { PostHead, SiteGenerator, StaticSite } from './generator.ts'
import { withoutKramdown } from './kramdown.ts'
import { createLiquid, liquidData } from './liquid.ts'
import { zoneNamed } from './moments.ts'
import { baseName, undatedName } from './post-head.ts'
import type { SourceTree } from './source-tree.ts'

export const hexo: SiteGenerator = (tree, context): StaticSite => {
  const config = readMap(tree, '_config.yml')
  const source = textAt(config, 'source_dir') ?? 'source'
  const start = `${source}/_posts/`
  const root = textAt(config, 'root') ?? '/'
  const base = root === '/' ? '' : root.replace(/\/$/, '')
  const pattern = textAt(config, 'permalink') ?? ':year/:month/:day/:title/'
  const cutsDates = /:year|:month/.test(textAt(config, 'new_post_name') ?? '')
  const { files, liquid } = filesOf(tree, context, { source, base })
  const nameOf = (path: string) => (cutsDates ? undatedName(path) : baseName(path))
  return {
    name: textAt(config, 'title'),
    url: textAt(config, 'url')?.replace(/\/$/, ''),
    base,
    posts: files,
    roots: rootsOf(tree, [source]),
    dates: { zone: zoneNamed(textAt(config, 'timezone')) },
    slug: ({ file, values }) =>
      textAt(values, 'slug', 'permalink') === undefined ? nameOf(file.path) : undefined,
    address: (head) => {
      const stated = textAt(head.values, 'permalink')
      if (stated !== undefined) return `${base}/${stated.replace(/^\//, '')}`
      const below = head.file.path.startsWith(start)
        ? posix.dirname(head.file.path.slice(start.length))
        : '.'
      const title = posix.join(below, textAt(head.values, 'slug') ?? nameOf(head.file.path))
      const named: PostHead = { ...head, slug: title }
      return `${base}/${fillPermalink(`/${pattern}`, named).replace(/^\//, '')}`
    },
    ownKeys: 'layout comments toc mathjax excerpt_separator sticky top',
    steps: [
      { name: 'tags of Hexo', run: liquid },
      { name: 'attributes', run: withoutKramdown },
    ],
    define: (defineTerm) => defineFromFiles(tree, context.report, defineTerm),
  }
}

function filesOf(
  tree: SourceTree,
  { posts, language, report, templates }: ImportContext,
  { source, base }: { readonly source: string; readonly base: string },
) {
  const isContent = (path: string) => /(?:^|\/)_(?:posts|drafts)\//.test(path)
  const files = findPosts(tree, { posts, language, isContent }, report)
  const byName = new Map(
    files.flatMap(({ path }) =>
      [baseName(path), undatedName(path)].map((name) => [name, path] as const),
    ),
  )
  const liquid = createLiquid({
    tree,
    templates,
    globals: { site: { data: liquidData(tree, `${source}/_data`) } },
    includes: `${source}/_includes`,
    base,
    findPost: (name) => byName.get(name),
  })
  return { files, liquid }
}
