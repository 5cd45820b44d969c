// Jekyll: `_posts` and `_drafts`, `_config.yml` with defaults and permalinks, data files, Liquid and kramdown.
import { posix } from 'node:path'
import { trimmedEnd } from '../parts.ts'
import type { PostHead, SiteGenerator, StaticSite } from '../site.ts'
import { fillPermalink, jekyllPermalink } from './destinations.ts'
import { markupSteps } from './dialects.ts'
import { unread } from './extensions.ts'
import { languageNamed } from './folders.ts'
import { asList, isMap, readSource, textAt, type Values, withTypes } from './front.ts'
import { createLiquid, defineOnce, liquidData } from './liquid.ts'
import { namesOf } from './post-fields.ts'
import { baseName, zoneNamed } from './post-head.ts'
import { settingsIn } from './settings.ts'
import { matchesGlob, matchesTree, type SourceTree } from './source-tree.ts'
import { folderSite } from './tools.ts'

export const jekyll: SiteGenerator = (tree, context): StaticSite => {
  const config = settingsIn(tree, /^_config\.(?:ya?ml|toml)$/)
  const inFolder = (name: string) => posix.join(textAt(config, 'collections_dir') ?? '', `_${name}`)
  const base = trimmedEnd(textAt(config, 'baseurl') ?? '', '/')
  const ends = textAt(config, 'markdown_ext')
    ?.replace(/[^\w,]/g, '')
    .replaceAll(',', '|')
  const isRead = ends === undefined ? markup : new RegExp(`\\.(?:${ends}|html?)$`, 'i')
  const namesIn = ({ values }: PostHead, one: string, many: string) =>
    [one, many].flatMap((key) => namesOf(values, key, true))
  const categoriesOf = (head: PostHead) =>
    new Set([...foldersAbove(head.file.path, config), ...namesIn(head, 'categories', 'category')])
  const permalink = textAt(config, 'collections.posts.permalink', 'permalink') ?? 'date'
  const options = ['parse_block_html', 'hard_wrap'].filter(
    (name) => textAt(config, `kramdown.${name}`) === 'true',
  )
  const zone = zoneNamed(textAt(config, 'timezone'))
  const liquid = createLiquid({
    ...{ tree, base, zone, tool: 'jekyll' },
    templates: context.templates,
    globals: { site: siteOf(tree, config, base) },
    includes: '_includes',
    findPost: (name) => site.posts.find((file) => baseName(file) === name)?.path,
    pageAddress: (path) =>
      collectionOf(path, config) ? undefined : pageAddress(tree, path, permalink),
    pageOf: (head) => ({ tags: namesIn(head, 'tag', 'tags'), categories: [...categoriesOf(head)] }),
  })
  const address = (head: PostHead) => {
    const { path } = head.file
    const names = Array.from(categoriesOf(head), (name) => encodeURI(name.toLowerCase()))
    const categories = [...new Set(names)].join('/')
    const stated = textAt(head.values, 'permalink') ?? ''
    const isPath = /[/:.]/.test(stated) && !/[{}]/.test(stated)
    const collection = collectionOf(path, config) ?? 'posts'
    const below = path.slice(path.indexOf(`_${collection}/`) + `_${collection}/`.length)
    const ofCollection =
      collection === 'posts'
        ? permalink
        : (textAt(config, `collections.${collection}.permalink`) ??
          `/:collection/:path${/^pretty$|\/$/.test(permalink) ? '/' : '.html'}`)
    const named = jekyllPermalink(isPath ? stated : ofCollection)
      .replace(':collection', collection)
      .replace(':path', below.replace(/\.\w+$/, ''))
    const slug = head.slug
      .replace(/[^\p{M}\p{L}\p{Nd}._~!$&'()+,;=@]+/gu, '-')
      .replace(/^-|-$/g, '')
    return fillPermalink(named, { ...head, slug }, { categories, category: categories })
  }
  const site: StaticSite = folderSite(tree, context, {
    isContent: (path) =>
      kindOf(path) === ''
        ? isRead.test(path) && collectionOf(path, config) !== undefined
        : // regex: the path of a file
          !/(?:^|\/)(?:vendor|test|spec)\/(?:.*\/)?_(?:posts|drafts)\//.test(path),
    isExact: true,
    markup: isRead,
    configured: textAt(config, 'lang', 'locale'),
    languages: [],
    pageReason: (path) => {
      const collection = collectionOf(path, config)
      if (context.posts === undefined && collection !== undefined && kindOf(path) === '')
        return `in the collection \`${collection}\`: --posts ${inFolder(collection)}`
      const isDated = /(?:^|\/)\d{2,4}-\d{1,2}-\d{1,2}-/.test(path)
      const isPost = kindOf(path) !== '_posts' || isDated
      return isPost ? undefined : 'no date in its name: not a post in Jekyll'
    },
    stated: (path) => {
      const kind = kindOf(path)
      const isDraft = kind === '_drafts'
      return {
        isPost: true,
        withheld: isDraft ? undefined : withheldByConfig(path, kind, config),
        categories: foldersAbove(path, config).filter((name) => languageNamed(name) === ''),
        defaults: valuesFor(
          path,
          isDraft ? 'drafts' : (collectionOf(path, config) ?? 'posts'),
          config,
        ),
      }
    },
    name: textAt(config, 'title', 'name'),
    url: textAt(config, 'url'),
    base,
    statics: [],
    address,
    dates: { zone, hasUtcTimestamps: true },
    ownKeys:
      'layout comments render_with_liquid toc sitemap hidden excerpt_separator pin math mathjax ext type guid',
    splitsAtBlanks: true,
    comments: ({ values }) =>
      `kramdown ${values['render_with_liquid'] === 'false' ? '' : 'Liquid'}`,
    steps: [
      { name: 'Liquid → its output', run: liquid },
      unread('option of kramdown', /\{::options\b[^{}\n]*\bparse_\w+/g),
      ...markupSteps(`kramdown ${options.join(' ')}`),
    ],
    authors: config['authors'],
  })
  return site
}

/** Returns the URL of a page: from its front matter, or else from its path. */
function pageAddress(tree: SourceTree, path: string, permalink: string): string | undefined {
  if (!tree.has(path)) return undefined
  const stated = textAt(readSource(tree, path)?.values ?? {}, 'permalink')
  if (stated !== undefined) return stated
  if (!markup.test(path)) return `/${path}`
  const plain = path.replace(/^_pages\//, '').replace(/(?:(^|\/)index)?\.\w+$/, '$1')
  return `/${plain}${plain === '' || plain.endsWith('/') ? '' : /\/$|^pretty$/.test(permalink) ? '/' : '.html'}`
}

const markup = /\.(?:md|markdown|mkdown|mkdn|mkd|html?)$/i

/** Returns `_posts` or `_drafts` for a file in such a folder, otherwise `''`. */
function kindOf(path: string): string {
  return /(?:^|\/)(_posts|_drafts)\//.exec(path)?.[1] ?? ''
}

function foldersAbove(path: string, config: Values): readonly string[] {
  const [above = ''] = /^.*?(?=_(?:posts|drafts)\/)/.exec(path) ?? []
  const parts = inCollections(above, config).split('/')
  return parts.filter((part) => part !== '' && part !== '.')
}

/** Returns the path of a file below the folder of the collections. */
function inCollections(path: string, config: Values): string {
  const folder = `${textAt(config, 'collections_dir') ?? ''}/`
  return path.startsWith(folder) ? path.slice(folder.length) : path
}

/** Returns the collection of a file, other than posts: `recipes` for `_recipes/a.md`. */
function collectionOf(path: string, config: Values): string | undefined {
  const [, name] = /^_([^/]+)\//.exec(inCollections(path, config)) ?? []
  return collectionsOf(config).find((known) => known === name && known !== 'posts')
}

function collectionsOf({ collections }: Values): readonly string[] {
  return isMap(collections) ? Object.keys(collections) : asList(collections).map(String)
}

function withheldByConfig(path: string, kind = '', config: Values): string | undefined {
  const { include, exclude } = config
  const isOutside = textAt(config, 'collections_dir') && inCollections(path, config) === path
  const source = posix.join(textAt(config, 'source') ?? '.', '/').replace(/^\.\//, '')
  if (!path.startsWith(source)) return 'it is not below `source`'
  if (kind !== '' && isOutside) return 'it is not below `collections_dir`'
  const parts = path.split('/')
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const isNamed = (globs: Values[string], name: string) =>
    asList(globs).some((item) => {
      const glob = String(item).replace(/^\//, '')
      return name.startsWith(glob) || `${name}/` === glob || matchesGlob(name, glob, false)
    })
  const isIncluded = (name: string) =>
    [name, posix.basename(name)].some((it) => isNamed(include, it))
  if (paths.some((name) => isNamed(exclude, name) && !isIncluded(name)))
    return '`exclude` in the configuration names it'
  const isRead = (part: string, index: number) =>
    !/^[._#~]/.test(part) ||
    /^_(?:posts|i18n)$/.test(part) ||
    (kind === '' && index === 0) ||
    (index > parts.indexOf(kind) + 1 && index < parts.length - 1) ||
    isIncluded(paths[index] ?? '')
  const hidden = parts.find((part, index) => !isRead(part, index))
  if (hidden !== undefined) return `Jekyll does not read \`${hidden}\``
  const [, folder] = /^_([^/]+)\//.exec(path) ?? []
  const name = kind === '' ? (collectionOf(path, config) ?? folder) : 'posts'
  const output = name && textAt(config, `collections.${name}.output`)
  const isWritten = !name || output === 'true' || (name === 'posts' && output === undefined)
  return isWritten ? undefined : `its collection \`${name}\` has no \`output: true\``
}

/** Returns the defaults of a path. Longer scopes take precedence, then scopes with a type, then later scopes. */
function valuesFor(path: string, type: string, config: Values): Values {
  const below = inCollections(path, config)
  const fitting = asList(config['defaults'])
    .flatMap((item) => {
      if (!isMap(item) || !isMap(item['values'])) return []
      const scope = isMap(item['scope']) ? item['scope'] : {}
      const { values } = item
      return [{ path: textAt(scope, 'path') ?? '', type: textAt(scope, 'type'), values }]
    })
    .filter((scope) => scope.type === undefined || scope.type === type || scope.type === 'post')
    .filter((scope) => {
      const start = inCollections(scope.path.replace(/^\//, ''), config)
      return scope.path.includes('*') ? matchesTree(below, start) : below.startsWith(start)
    })
    .sort(
      (a, b) =>
        a.path.length - b.path.length ||
        Number(a.type !== undefined) - Number(b.type !== undefined),
    )
  return Object.assign({}, ...fitting.map(({ values }) => values))
}

/** Returns the variable `site`: the configuration, and the data files, which are read on first use; no pages or posts. */
function siteOf(tree: SourceTree, config: Values, base: string): object {
  const data = liquidData(tree, '_data')
  const site: Record<string, unknown> = {}
  // A setting that no post uses is not marked as read.
  for (const name of Object.keys(config)) defineOnce(site, name, () => withTypes(config[name]))
  Object.defineProperties(site, Object.getOwnPropertyDescriptors({ baseurl: base, data }))
  const pages =
    'pages html_pages documents static_files categories tags posts time related_posts'.split(' ')
  for (const name of [...collectionsOf(config), ...pages])
    defineOnce(site, name, () => {
      throw new Error(`\`site.${name}\` is not read`)
    })
  return site
}
