// Jekyll: `_posts` and `_drafts` anywhere, `_config.yml` with defaults and permalinks, data files, Liquid and
// kramdown.

import { splitFileName, UseError } from 'quarry/authoring'
import { ImportReport } from '../report.ts'
import { defineFromFiles, defineRecords } from './data-files.ts'
import { asList, isMap, readSource, textAt, type Values } from './front.ts'
import type { PostFile, SiteGenerator, StaticSite } from './generator.ts'
import { htmlToMarkdown } from './html-body.ts'
import { withoutKramdown } from './kramdown.ts'
import { isLanguage, postsOfLanguage } from './languages.ts'
import { createLiquid, type LiquidTranslator } from './liquid.ts'
import { defineOnce, liquidData, liquidValue, readMap } from './liquid-data.ts'
import { fillPermalink, jekyllPermalink, postLinkOf } from './permalinks.ts'
import { baseName } from './post-head.ts'
import type { SourceTree } from './source-tree.ts'

export const jekyll: SiteGenerator = (tree, context): StaticSite => {
  const config = readMap(tree, tree.has('_config.yml') ? '_config.yml' : '_config.yaml')
  const defaults = readDefaults(config)
  const found = findPosts(tree, context.posts, defaults)
  const posts = postsOfLanguage(found, context.report, {
    language: context.language,
    configured: textAt(config, 'lang', 'locale'),
  })
  if (posts.length === 0)
    throw new UseError(
      `${context.source} has no folder _posts. Name that of the posts with --posts.`,
    )
  const base = textAt(config, 'baseurl')?.replace(/\/+$/, '') ?? ''
  const url = textAt(config, 'url')?.replace(/\/+$/, '') ?? ''
  const byName = new Map(posts.map(({ path }) => [baseName(path), path]))
  const liquid = createLiquid({
    tree,
    templates: context.templates,
    globals: { site: siteOf(tree, config, { base, defaults }) },
    includes: '_includes',
    base,
    findPost: (name) => byName.get(name),
  })
  const permalink = textAt(config, 'permalink') ?? 'date'
  return {
    name: textAt(config, 'title', 'name'),
    url: url || undefined,
    base,
    posts,
    roots: [''],
    address: (head) =>
      fillPermalink(jekyllPermalink(textAt(head.values, 'permalink') ?? permalink), head),
    postLink: postLinkOf(base + jekyllPermalink(defaultPermalink(defaults) ?? permalink)),
    ownKeys: [...ownKeys],
    splitsAtBlanks: true,
    translate: (body, body_) => translate(body, body_, liquid),
    define: (defineTerm) => {
      defineFromFiles(tree, context.report, defineTerm)
      defineRecords('authors', config['authors'], '_config.yml', defineTerm)
    },
  }
}

const ownKeys = [
  'layout',
  'comments',
  'render_with_liquid',
  'toc',
  'sitemap',
  'hidden',
  'excerpt_separator',
  'pin',
  'math',
  'mathjax',
  'id',
  'ext',
  'type',
  'guid',
]

function translate(
  body: string,
  context: Parameters<LiquidTranslator>[1],
  liquid: LiquidTranslator,
): string {
  const { values, file } = context.head
  const isLiquid = textAt(values, 'render_with_liquid') !== 'false'
  const plain = isLiquid ? liquid(body, context) : body
  return /\.html?$/.test(file.path) ? htmlToMarkdown(plain) : withoutKramdown(plain, context)
}

/** Supported markup of posts; others, such as Textile, are not supported. */
const markup = /\.(?:md|markdown|mkdown|mkdn|mkd|html?)$/i

function findPosts(
  tree: SourceTree,
  folder: string | undefined,
  defaults: readonly Scope[],
): readonly PostFile[] {
  const files = folder === undefined ? tree.files : tree.below(folder)
  return files.flatMap((path): readonly PostFile[] => {
    const [, before = '', kind] = /^(.*?\/?)(_posts|_drafts)\//.exec(path) ?? []
    if ((kind === undefined && folder === undefined) || !markup.test(path)) return []
    const isTemplate = /(?:^|\/)(?:node_modules|vendor|test|spec|_site)\//.test(before)
    if (isTemplate && folder === undefined) return []
    const isDraft = kind === '_drafts'
    // In Jekyll, a file without a date in its name is no post.
    if (!isDraft && splitFileName(baseName(path)).date === undefined && !hasLooseDate(path))
      return []
    const categories = before
      .split('/')
      .filter((part) => part !== '' && part !== '.' && !isLanguage(part))
    return [
      {
        path,
        isDraft,
        categories,
        defaults: valuesFor(path, isDraft ? 'drafts' : 'posts', defaults),
      },
    ]
  })
}

function hasLooseDate(path: string): boolean {
  return /(?:^|\/)\d{2,4}-\d{1,2}-\d{1,2}-/.test(path)
}

interface Scope {
  readonly path: string
  readonly type: string | undefined
  readonly values: Values
}

function readDefaults(config: Values): readonly Scope[] {
  return asList(config['defaults']).flatMap((item) => {
    if (!isMap(item) || !isMap(item['values'])) return []
    const scope = isMap(item['scope']) ? item['scope'] : {}
    return [
      { path: textAt(scope, 'path') ?? '', type: textAt(scope, 'type'), values: item['values'] },
    ]
  })
}

/** Later and longer scopes take precedence. */
function valuesFor(path: string, type: string, scopes: readonly Scope[]): Values {
  const fitting = scopes.filter(
    (scope) =>
      (scope.type === undefined || scope.type === type || scope.type === 'post') &&
      path.startsWith(scope.path.replace(/\*.*$/, '')),
  )
  return Object.assign({}, ...fitting.map(({ values }) => values))
}

function defaultPermalink(scopes: readonly Scope[]): string | undefined {
  return textAt(valuesFor('_posts/', 'posts', scopes), 'permalink')
}

interface SiteParts {
  readonly base: string
  readonly defaults: readonly Scope[]
}

/** The variable `site`: the configuration, the data files and the collections, each read on first use. */
function siteOf(tree: SourceTree, config: Values, { base, defaults }: SiteParts): object {
  const site: Record<string, unknown> = {
    ...(liquidValue(config) as object),
    baseurl: base,
    data: liquidData(tree, '_data'),
  }
  const { collections } = config
  const names = isMap(collections) ? Object.keys(collections) : asList(collections).map(String)
  for (const name of names.filter((name) => name !== 'posts')) {
    const permalink = textAt(config, `collections.${name}.permalink`) ?? '/:collection/:path.html'
    defineOnce(site, name, () =>
      tree
        .below(`_${name}`)
        .filter((path) => markup.test(path))
        .flatMap((path) => documentOf(tree, path, valuesFor(path, name, defaults), permalink)),
    )
  }
  return site
}

/** A document of a collection for Liquid. Empty when it is unreadable, which does not fail any post. */
function documentOf(tree: SourceTree, path: string, defaults: Values, pattern: string): object[] {
  const source = readSource(tree, path, new ImportReport())
  if (source === undefined) return []
  const values = { ...defaults, ...source.values }
  const slug = baseName(path)
  const [, collection = '', below = ''] = /^_([^/]+)\/(.*?)(?:\.\w+)?$/.exec(path) ?? []
  const url = (textAt(values, 'permalink') ?? pattern)
    .replace(':collection', collection)
    .replace(':path', below)
    .replace(/:(?:name|title|slug)\b/, slug)
    .replace(':output_ext', '.html')
  const title = textAt(values, 'title') ?? slug
  return [{ ...(liquidValue(values) as object), title, slug, path, url }]
}
