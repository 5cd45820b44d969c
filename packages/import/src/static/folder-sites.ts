// Generators with content in folders of Markdown files: Astro, Next, Gatsby and VitePress.
import { posix } from 'node:path'
import { trimmedEnd } from '../parts.ts'
import type { ImportContext } from '../site.ts'
import { defineFromFiles } from './authors.ts'
import { configText, excludedBy, originOf, parentOf, rootsOf } from './config.ts'
import { containersToAlerts } from './containers.ts'
import { type FolderRules, findPosts } from './folders.ts'
import { textAt } from './front.ts'
import type { PostFile, PostHead, SiteDates, SiteGenerator, StaticSite, Step } from './generator.ts'
import { mdxToMarkdown, usesMdx } from './mdx.ts'
import { slugKeys } from './post-head.ts'
import type { SourceTree } from './source-tree.ts'

export const astro: SiteGenerator = (tree, context) =>
  folderSite(tree, context, {
    config: /(?:^|\/)astro\.config\.\w+$/,
    isContent: (path) => /(?:^|\/)(?:src\/)?(?:content|pages|data|blog|posts)\//.test(path),
    root: (path) =>
      path.replace(/^.*?(?:src\/)?(?:content|pages|data)\//, '').replace(/^docs\//, ''),
    statics: ['public'],
    stated: underscored,
    steps: componentSteps,
  })

export const next: SiteGenerator = (tree, context) =>
  folderSite(tree, context, {
    config: /(?:^|\/)(?:next\.config|gatsby-config)\.\w+$/,
    isContent: (path) => !/^(?:docs|e2e)\//.test(path),
    root: (path) =>
      path
        .replace(/^.*?(?:src\/)?(?:app|pages|content|data|public|markdown|source)\//, '')
        .replace(/\([^()]*\)\//g, '')
        .replace(/^_posts\//, 'posts/'),
    statics: ['public', 'static'],
    steps: componentSteps,
  })

export const vitepress: SiteGenerator = (tree, context) => {
  const config = /(?:^|\/)\.vitepress\/config(?:\.\w+|\/index\.\w+)$/
  const parent = posix.dirname(parentOf(tree, config) || '.').replace(/^\.$/, '')
  const base = posix
    .join(parent, configText(tree, config, ['srcDir']) ?? '', '/')
    .replace(/^\//, '')
  const key = /\bsrcExclude["']?\s?[:=]\s{0,9}/g
  const excluded = excludedBy(tree, config, { name: '`srcExclude`', key, base })
  return folderSite(tree, context, {
    config,
    isContent: (path) => !path.includes('/.'),
    root: (path) =>
      (parent === '' ? path : posix.relative(parent, path)).replace(/^(?:src|pages)\//, ''),
    statics: ['public'],
    parent,
    stated: (path) => withholding(excluded(path)),
    steps: [
      containers,
      { name: 'table of contents', run: (text) => text.replace(/^\[\[toc\]\]\s*$/gim, '') },
    ],
  })
}

/** Containers of colons. */
export const containers: Step = { name: 'containers', run: containersToAlerts }

/** Components in files that are MDX, or look like it, and containers. */
const componentSteps: readonly Step[] = [
  {
    name: 'components',
    run: (text, context) =>
      context.head.file.path.endsWith('.mdx') || usesMdx(text)
        ? mdxToMarkdown(text, context)
        : text,
  },
  containers,
]

/** A reason, unless there is none. */
export function withholding(withheld: string | undefined): Pick<PostFile, 'withheld'> {
  return withheld === undefined ? {} : { withheld }
}

/** Astro and Docusaurus leave out files and folders whose names begin with `_`. */
export function underscored(path: string): Pick<PostFile, 'withheld'> {
  const [, name, slash] = /(?:^|\/)(_[^/]*)(\/|$)/.exec(path) ?? []
  return name === undefined
    ? {}
    : { withheld: slash === '/' ? `in a folder \`${name}\`` : 'its name begins with `_`' }
}

/** A site in folders. */
export interface Layout extends Pick<FolderRules, 'isContent' | 'markup' | 'stated'> {
  readonly config: RegExp
  /** Maps the path of a file to that of its page in the site. */
  root(path: string): string
  /** Names of folders served from the root. */
  readonly statics: readonly string[]
  /** Folder of the sources, if not the root. */
  readonly parent?: string
  readonly dates?: SiteDates
  readonly steps: readonly Step[]
  /** The URL of a post, where files do not decide it. */
  address?(head: PostHead): string | undefined
  readonly name?: string | undefined
  readonly url?: string | undefined
  readonly ownKeys?: string
}

/** Describes a site in folders. */
export function folderSite(
  tree: SourceTree,
  { posts, language, report }: ImportContext,
  layout: Layout,
): StaticSite {
  const { config, isContent, markup, stated } = layout
  const base = configText(tree, config, ['base', 'basePath', 'pathPrefix'])
  const prefix = base?.startsWith('/') ? trimmedEnd(base, '/') : ''
  const titles = /(?:^|\/)(?:siteMetadata|site\.config|site-config|config)\.\w+$/
  return {
    name: layout.name ?? configText(tree, titles, ['title', 'siteTitle']),
    url: originOf(layout.url ?? configText(tree, config, ['site', 'url', 'siteUrl', 'baseUrl'])),
    base: prefix,
    dates: layout.dates,
    posts: findPosts(
      tree,
      { posts, language, isContent, ...(markup && { markup }), ...(stated && { stated }) },
      report,
    ),
    roots: rootsOf(tree, layout.statics, layout.parent ?? parentOf(tree, config)),
    address:
      layout.address ?? ((head) => `${prefix}/${pagePath(head, layout.root(head.file.path))}`),
    ownKeys: `layout eleventyExcludeFromCollections templateEngineOverride eleventyNavigation toc sidebar outline aside editLink setup prerender head ${layout.ownKeys ?? ''}`,
    steps: layout.steps,
    define: (defineTerm) => defineFromFiles(tree, report, defineTerm),
  }
}

/** `blog/title` for `blog/title.md`, `blog/title/index.md` and `blog/title/page.mdx`, or the path in front matter. */
export function pagePath({ values, slug }: PostHead, path: string): string {
  const stated = textAt(values, ...slugKeys.filter((key) => key !== 'slug'))
  if (stated?.startsWith('/') && !/[{}]/.test(stated)) return stated.replace(/^\//, '')
  const plain = path
    .replace(/\.(?:md|markdown|mdx|html?|njk|liquid|webc)$/i, '')
    .replace(/\/(?:index|page|readme)$/i, '')
  const folder = plain.includes('/') ? plain.slice(0, plain.lastIndexOf('/') + 1) : ''
  const named = textAt(values, 'slug')
  if (named?.includes('/')) return named.replace(/^\/|\/$/g, '')
  return named === undefined
    ? plain.replace(/(^|\/)\d{4}-\d{2}-\d{2}-([^/]+)$/, '$1$2')
    : folder + slug
}
