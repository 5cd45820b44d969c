// Generators with content in folders of Markdown files: Astro, Next, Eleventy and VitePress.

import { posix } from 'node:path'
import { trimmedEnd } from '../parts.ts'
import type { ImportContext } from '../site.ts'
import { configText, excludedBy, originOf } from './config-text.ts'
import { containersToAlerts } from './containers.ts'
import { defineFromFiles } from './data-files.ts'
import { directoryData, ignored } from './directory-data.ts'
import { type FolderRules, findPosts } from './folders.ts'
import { textAt } from './front.ts'
import type {
  BodyContext,
  PostFile,
  PostHead,
  SiteDates,
  SiteGenerator,
  StaticSite,
} from './generator.ts'
import { withoutKramdown } from './kramdown.ts'
import { createLiquid } from './liquid.ts'
import { liquidData, readMap } from './liquid-data.ts'
import { mdxToMarkdown, usesMdx } from './mdx.ts'
import { zoneNamed } from './moments.ts'
import { parentOf, rootsOf } from './roots.ts'
import type { SourceTree } from './source-tree.ts'

export const astro: SiteGenerator = (tree, context) => {
  const config = /(?:^|\/)astro\.config\.\w+$/
  const isContent = (path: string) =>
    /(?:^|\/)(?:src\/)?(?:content|pages|data|blog|posts)\//.test(path)
  const root = (path: string) =>
    path.replace(/^.*?(?:src\/)?(?:content|pages|data)\//, '').replace(/^docs\//, '')
  return {
    ...folderSite(tree, context, {
      config,
      isContent,
      root,
      statics: ['public'],
      stated: underscored,
    }),
    translate: componentBody,
  }
}

export const next: SiteGenerator = (tree, context) => {
  const config = /(?:^|\/)next\.config\.\w+$/
  const isContent = (path: string) => !/^(?:docs|e2e)\//.test(path)
  const root = (path: string) =>
    path
      .replace(/^.*?(?:src\/)?(?:app|pages|content|data|public)\//, '')
      .replace(/\([^()]*\)\//g, '')
      .replace(/^_posts\//, 'posts/')
  return {
    ...folderSite(tree, context, {
      config,
      isContent,
      root,
      statics: ['public'],
      ...otherTools(tree),
    }),
    translate: componentBody,
  }
}

/** Time zone and status of posts in the configurations of Hexo, Pelican and Nikola. */
function otherTools(tree: SourceTree): Pick<Layout, 'dates' | 'stated'> {
  const hexo = textAt(readMap(tree, '_config.yml'), 'timezone')
  const python = /(?:^|\/)(?:pelicanconf|publishconf|conf)\.py$/
  const zone = zoneNamed(hexo ?? configText(tree, python, ['TIMEZONE']))
  const texts = tree.files.filter((path) => python.test(path)).map((path) => tree.text(path) ?? '')
  const status = texts
    .map((text) => text.split(/\bDEFAULT_METADATA[ \t]?=/, 2)[1]?.split(/[)}\]]/, 1)[0])
    .map((text) => /["']status["'][ \t]?[:,][ \t]?["'](\w+)["']/.exec(text ?? '')?.[1])
    .find((word) => word !== undefined)
  return {
    dates: { zone },
    ...(status === undefined ? {} : { stated: () => ({ defaults: { status } }) }),
  }
}

export const vitepress: SiteGenerator = (tree, context) => {
  const config = /(?:^|\/)\.vitepress\/config(?:\.\w+|\/index\.\w+)$/
  const parent = posix.dirname(parentOf(tree, config) || '.').replace(/^\.$/, '')
  const root = (path: string) =>
    (parent === '' ? path : posix.relative(parent, path)).replace(/^(?:src|pages)\//, '')
  const isContent = (path: string) => !path.includes('/.')
  const base = posix
    .join(parent, configText(tree, config, ['srcDir']) ?? '', '/')
    .replace(/^\//, '')
  const key = /\bsrcExclude["']?\s?[:=]\s{0,9}/g
  const excluded = excludedBy(tree, config, { name: '`srcExclude`', key, base })
  const stated = (path: string) => withholding(excluded(path))
  return {
    ...folderSite(tree, context, { config, isContent, root, statics: ['public'], parent, stated }),
    translate: (body, context_) => withoutMarks(containersToAlerts(body, context_)),
  }
}

export const eleventy: SiteGenerator = (tree, context) => {
  const config = /(?:^|\/)(?:\.eleventy|eleventy\.config)\.\w+$/
  const folder = (key: string) =>
    configText(tree, config, [key])
      ?.replace(/^\.\/?/, '')
      .replace(/\/$/, '')
  const parent = folder('input') ?? (tree.below('src').length > 0 ? 'src' : '')
  const isContent = (path: string) => parent === '' || path.startsWith(`${parent}/`)
  const root = (path: string) => (parent === '' ? path : posix.relative(parent, path))
  const liquid = createLiquid({
    tree,
    templates: context.templates,
    globals: withRootAddresses(liquidData(tree, posix.join(parent, folder('data') ?? '_data'))),
    includes: posix.join(parent, folder('includes') ?? '_includes'),
    base: '',
    findPost: () => undefined,
    isEleventy: true,
    hasJekyllIncludes: tree.files.some(
      (path) => config.test(path) && /jekyllInclude:\s*true/.test(tree.text(path) ?? ''),
    ),
  })
  const programs = tree.files
    .filter((path) => config.test(path))
    .map((path) => tree.text(path) ?? '')
  const isInGit = ignored(tree, '.gitignore')
  const usesGit = !programs.some((text) => /setUseGitIgnore\(\s{0,9}false/.test(text))
  const key = /\bignores\.add\(\s{0,9}/g
  const excluded = excludedBy(tree, config, { name: '`ignores`', key, base: '' })
  const dataOf = directoryData(tree, context.report)
  const site = folderSite(tree, context, {
    config,
    isContent,
    root,
    statics: ['public', 'static'],
    parent,
    stated: (path) => ({ ...dataOf(path), ...withholding(excluded(path)) }),
  })
  const posts = site.posts.filter(({ path }) => {
    if (!usesGit || !isInGit(path)) return true
    context.report.add('left', '`.gitignore` names it: Eleventy does not read it', path)
    return false
  })
  return {
    ...site,
    posts,
    translate: (body, context_) =>
      withoutKramdown(containersToAlerts(liquid(body, context_), context_), context_),
  }
}

/** A reason, unless there is none. */
export function withholding(withheld: string | undefined): Pick<PostFile, 'withheld'> {
  return withheld === undefined ? {} : { withheld }
}

/** Astro and Docusaurus leave folders out whose names begin with `_`. */
export function underscored(path: string): Pick<PostFile, 'withheld'> {
  const [, folder] = /(?:^|\/)(_[^/]*)\//.exec(path) ?? []
  return folder === undefined ? {} : { withheld: `in a folder \`${folder}\`` }
}

/** Data in which the site's own URL is empty unless a file states it, so that links begin at the root. */
function withRootAddresses(data: { readonly site?: unknown }): object {
  const root = { url: '', baseurl: '', baseUrl: '' }
  const stated = typeof data.site === 'object' ? data.site : {}
  return Object.defineProperty(data, 'site', { enumerable: true, value: { ...root, ...stated } })
}

interface Layout {
  readonly config: RegExp
  isContent(path: string): boolean
  /** Maps the path of a file to that of its page in the site. */
  root(path: string): string
  /** Names of folders served from the root. */
  readonly statics: readonly string[]
  /** Folder of the sources, if not the root. */
  readonly parent?: string
  /** Reads the configuration of a file. */
  readonly stated?: FolderRules['stated']
  readonly dates?: SiteDates
}

function folderSite(
  tree: SourceTree,
  { posts, language, report }: ImportContext,
  layout: Layout,
): Omit<StaticSite, 'translate'> {
  const { isContent, stated: ofFile = () => ({}) } = layout
  const files = findPosts(tree, { posts, language, isContent, stated: ofFile }, report)
  const stated = configText(tree, layout.config, ['base', 'basePath', 'pathPrefix'])
  const base = stated?.startsWith('/') ? trimmedEnd(stated, '/') : ''
  const parent = layout.parent ?? parentOf(tree, layout.config)
  const address = (head: PostHead): string =>
    `${base}/${pagePath(head, layout.root(head.file.path))}`
  return {
    name: configText(tree, /(?:^|\/)(?:siteMetadata|site\.config|site-config|config)\.\w+$/, [
      'title',
      'siteTitle',
    ]),
    url: originOf(configText(tree, layout.config, ['site', 'url', 'siteUrl', 'baseUrl'])),
    base,
    dates: layout.dates,
    posts: files,
    roots: rootsOf(tree, layout.statics, parent),
    address,
    postLink: `${base}/${commonFolder(files, layout)}{slug}`,
    ownKeys: [
      'layout',
      'eleventyExcludeFromCollections',
      'templateEngineOverride',
      'eleventyNavigation',
      'toc',
      'sidebar',
      'outline',
      'aside',
      'editLink',
      'setup',
      'prerender',
      'head',
    ],
    define: (defineTerm) => defineFromFiles(tree, report, defineTerm),
  }
}

/** `blog/title` for `blog/title.md`, `blog/title/index.md` and `blog/title/page.mdx`, or the path in front matter. */
function pagePath({ values, slug }: PostHead, path: string): string {
  const stated = textAt(values, 'permalink', 'url', 'path')
  if (stated?.startsWith('/') && !/[{}]/.test(stated)) return stated.replace(/^\/|\/$/g, '')
  const plain = path.replace(/\.(?:md|markdown|mdx)$/i, '').replace(/\/(?:index|page|readme)$/i, '')
  const folder = plain.includes('/') ? plain.slice(0, plain.lastIndexOf('/') + 1) : ''
  return textAt(values, 'slug') === undefined ? withoutDate(plain) : folder + slug
}

function withoutDate(path: string): string {
  return path.replace(/(^|\/)\d{4}-\d{2}-\d{2}-([^/]+)$/, '$1$2')
}

/** The common folder of all posts, `blog/`. */
function commonFolder(files: readonly PostFile[], { root }: Layout): string {
  const folders = files.map(({ path }) =>
    posix.dirname(root(path.replace(/\/(?:index|page)\.\w+$/, '.md'))).split('/'),
  )
  const [first = [], ...others] = folders
  const shared = first.findIndex((part, index) => others.some((parts) => parts[index] !== part))
  const parts = (shared === -1 ? first : first.slice(0, shared)).filter((part) =>
    /^[\w-]+$/.test(part),
  )
  return parts.length === 0 ? '' : `${parts.join('/')}/`
}

function componentBody(body: string, context: BodyContext): string {
  const isMdx = context.head.file.path.endsWith('.mdx') || usesMdx(body)
  return containersToAlerts(isMdx ? mdxToMarkdown(body, context) : body, context)
}

/** Removes table-of-contents markers of Vue sites. */
function withoutMarks(body: string): string {
  return body.replace(/^\[\[toc\]\]\s*$/gim, '')
}
