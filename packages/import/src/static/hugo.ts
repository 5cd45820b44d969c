// Hugo and Zola: `content`, page bundles, permalinks and languages from the configuration, shortcodes.
import { posix } from 'node:path'
import { slugify } from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import { trimmedEnd } from '../parts.ts'
import type { ImportContext } from '../site.ts'
import { fillPermalink } from './addresses.ts'
import { defineFromFiles } from './authors.ts'
import { originOf, readHugoConfig, rootsOf } from './config.ts'
import { findPosts } from './folders.ts'
import { asList, isMap, textAt, type Values, valueAt } from './front.ts'
import type { PostFile, PostHead, SiteDates, SiteGenerator } from './generator.ts'
import { matchesTree } from './globs.ts'
import { htmlBlock } from './html-block.ts'
import { withoutKramdown } from './kramdown.ts'
import { zoneNamed } from './moments.ts'
import { baseName, undatedName } from './post-head.ts'
import { sectionReader } from './sections.ts'
import { type ShortcodeSite, translateShortcodes, zolaShortcodes } from './shortcodes.ts'
import type { SourceTree } from './source-tree.ts'

export const hugo: SiteGenerator = (tree, { posts, language, report, templates }) => {
  const config = readHugoConfig(tree)
  const isZola = textAt(config, 'base_url') !== undefined
  const configured = textAt(config, 'defaultContentLanguage', 'default_language') ?? 'en'
  const chosen = language ?? configured
  const mounts = contentMounts(config, chosen)
  const isContent = (path: string) => mounts.some(({ source }) => path.startsWith(`${source}/`))
  const root = (path: string) => pathInSite(path, mounts)
  const dates = readDates(config, chosen)
  const publication = {
    now: new Date().toISOString(),
    zone: dates.zone,
    expiryKeys: dates.keys?.expiry,
  }
  const below = sectionReader({ tree, config, language: chosen, root, publication })
  const isIgnored = ignoredFiles(config, report)
  const stated = (path: string) => {
    const found = below(path)
    return isIgnored(path) ? { ...found, withheld: 'the configuration ignores the file' } : found
  }
  for (const key of ['buildDrafts', 'buildFuture', 'buildExpired'])
    if (textAt(config, key) === 'true')
      report.add(
        'left',
        `\`${key}: true\`: posts that it shows are drafts or scheduled`,
        'configuration',
      )
  const markup = isZola ? /\.md$/i : /\.(?:md|markdown|mdown|mkd|mmark|html?)$/i
  const rules = { posts, isContent, language, configured, stated, markup }
  const files = withoutResources(findPosts(tree, rules, report), report)
  const base = basePath(config) + languagePrefix(config, chosen, configured)
  const address = isZola ? zolaAddress(root) : hugoAddress(config, root)
  const site = shortcodeSite({ tree, config, files, templates })
  const isHtml = (head: PostHead) => /\.html?$/i.test(head.file.path)
  return {
    name: textAt(config, `languages.${chosen}.title`, 'title'),
    url: originOf(textAt(config, 'baseURL', 'base_url')),
    base: basePath(config),
    posts: files,
    roots: rootsOf(tree, [
      'static',
      'assets',
      ...mountedFiles(config),
      ...mounts.map(({ source }) => source),
    ]),
    dates,
    slug: (head) =>
      isZola ? undefined : titleSlug(head, patternFor(config, root(head.file.path))),
    address: (head) => base + address(head),
    ownKeys:
      'type layout weight menu outputs headless markup linktitle toc comments sitemap isCJKLanguage expirydate cascade build _build resources template page_template in_search_index insert_anchor_links',
    steps: [
      ...(isZola ? [{ name: 'shortcodes of Zola', run: zolaShortcodes }] : []),
      { name: 'shortcodes', run: (text, context) => translateShortcodes(text, site, context) },
      { name: 'HTML', run: (text, { head }) => (isHtml(head) ? htmlBlock(text) : text) },
      {
        name: 'attributes',
        run: (text, context) => (isHtml(context.head) ? text : withoutKramdown(text, context)),
      },
    ],
    define: (defineTerm) => defineFromFiles(tree, report, defineTerm),
  }
}

/** A folder of the source, and where it is below the content. */
interface Mount {
  readonly source: string
  readonly target: string
}

/** The folders of content: those of `module.mounts`, or that of the language, or `content`. */
function contentMounts(config: Values, language: string): readonly Mount[] {
  const mounts = mountsOf(config).filter(
    ({ target, lang }) =>
      /^content(?:\/|$)/.test(target) && (lang === undefined || lang === language),
  )
  const folder = textAt(config, `languages.${language}.contentDir`, 'contentDir')
  const plain = { source: folder?.replace(/^\.?\//, '') ?? 'content', target: '' }
  const found = mounts.map(({ source, target }) => ({
    source,
    target: target.replace(/^content\/?/, ''),
  }))
  const all = [...found, plain, { source: 'content', target: '' }]
  return all.filter(({ source }, at) => all.findIndex((other) => other.source === source) === at)
}

function mountsOf(config: Values) {
  return asList(valueAt(config, 'module.mounts')).flatMap((item) => {
    const source = isMap(item) ? textAt(item, 'source') : undefined
    const target = isMap(item) ? textAt(item, 'target') : undefined
    if (!isMap(item) || source === undefined || target === undefined) return []
    return [{ source: source.replace(/^\.?\//, ''), target, lang: textAt(item, 'lang') }]
  })
}

/** Folders of the source that are mounted below the files of the site. */
function mountedFiles(config: Values): readonly string[] {
  return mountsOf(config)
    .filter(({ target }) => /^(?:static|assets)\/?$/.test(target))
    .map(({ source }) => source)
}

/** `/de` for a language that is not the one of the root. */
function languagePrefix(config: Values, language: string, main: string): string {
  const isInFolder = textAt(config, 'defaultContentLanguageInSubdir') === 'true'
  return language === main && !isInFolder ? '' : `/${language.toLowerCase()}`
}

/** The time zone and the keys of dates, from `timeZone` and `frontmatter`. */
function readDates(config: Values, language: string): SiteDates {
  const keys = (name: string) => asList(valueAt(config, `frontmatter.${name}`)).map(String)
  // Other rules of Hugo, such as `:git`, are no keys.
  const plain = (name: string) => keys(name).filter((key) => !key.startsWith(':'))
  const zone = zoneNamed(textAt(config, `languages.${language}.timeZone`, 'timeZone'))
  const date = keys('date').filter((key) => !key.startsWith(':') || key === ':filename')
  return {
    zone,
    hasWrittenDays: true,
    keys: { date, start: plain('publishDate'), expiry: plain('expiryDate') },
  }
}

/** Files that `ignoreFiles` of Hugo or `ignored_content` of Zola names. Only simple regular expressions are safe to run. */
function ignoredFiles(config: Values, report: Ledger): (path: string) => boolean {
  const globs = asList(valueAt(config, 'ignored_content')).map(String)
  const patterns = asList(valueAt(config, 'ignoreFiles')).flatMap((item) => {
    const text = String(item)
    const isSimple =
      /^(?:[\w/ ~@#-]|\\[./_$-]|\.\*){1,200}\$?$/.test(text) && text.split('.*').length < 4
    if (isSimple) {
      // regex: only letters, escapes and at most two `.*` in 200 characters
      return [new RegExp(text)]
    }
    report.add('left', `\`ignoreFiles\`: ${text} is not read`, 'configuration')
    return []
  })
  return (path) =>
    patterns.some((pattern) => pattern.test(`/${path}`)) ||
    globs.some((glob) => matchesTree(path, `**/${glob}`))
}

/** Removes Markdown resources of page bundles, which are no pages. */
function withoutResources(files: readonly PostFile[], report: Ledger): readonly PostFile[] {
  const bundles = new Set(
    files.filter(({ path }) => isIndex(path)).map(({ path }) => posix.dirname(path)),
  )
  return files.filter(({ path }) => {
    const parts = path.split('/')
    const isResource =
      !isIndex(path) &&
      parts.some((_, index) => index > 0 && bundles.has(parts.slice(0, index).join('/')))
    if (isResource) report.settle(path, 'pages', 'resource of a page bundle')
    return !isResource
  })
}

function isIndex(path: string): boolean {
  return /(?:^|\/)index\.(?:[a-z]{2}(?:-[a-z]{2,4})?\.)?\w+$/i.test(path)
}

/** `post/title.md` for `content/en/post/title.md`. */
function pathInSite(path: string, mounts: readonly Mount[]): string {
  const mount = mounts.find(({ source }) => path.startsWith(`${source}/`))
  const below =
    mount === undefined ? path : posix.join(mount.target, path.slice(mount.source.length + 1))
  return below.replace(/^[a-z]{2}(?:-[a-z]{2,4})?\//i, '')
}

function sectionOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : ''
}

function basePath(config: Values): string {
  const url = textAt(config, 'baseURL', 'base_url')
  return url !== undefined && URL.canParse(url) ? trimmedEnd(new URL(url).pathname, '/') : ''
}

/** The permalink pattern of the section of a page; newer versions of Hugo nest them under `page`. */
function patternFor(config: Values, path: string): string | undefined {
  const section = sectionOf(path)
  return textAt(config, `permalinks.page.${section}`, `permalinks.${section}`)
}

function hugoAddress(config: Values, root: (path: string) => string) {
  // Without this rule, a date in a file's name is part of its URL.
  const cutsDates = asList(valueAt(config, 'frontmatter.date')).includes(':filename')
  return (head: PostHead): string => {
    const stated = textAt(head.values, 'url')
    if (stated !== undefined) return stated.startsWith('/') ? stated : `/${stated}`
    const path = root(head.file.path).replace(/\/index\.[^/]*$/i, '.md')
    const pattern = patternFor(config, path)
    const file = cutsDates ? undatedName(head.file.path) : baseName(head.file.path)
    const slug = textAt(head.values, 'slug') ?? file
    if (pattern !== undefined)
      return urlized(
        fillPermalink(pattern, { ...head, slug: titleSlug(head, pattern) ?? slug }, path),
      )
    const folder = posix.dirname(path)
    return urlized(`/${folder === '.' ? '' : `${folder}/`}${slug}/`)
  }
}

function zolaAddress(root: (path: string) => string) {
  return ({ values, file }: PostHead): string => {
    const stated = textAt(values, 'path')
    if (stated !== undefined) return `/${stated.replace(/^\/|\/$/g, '')}/`
    const folder = posix.dirname(root(file.path).replace(/\/index\.[^/]*$/i, '.md'))
    const slug = textAt(values, 'slug') ?? slugify(undatedName(file.path))
    return `/${folder === '.' ? '' : `${folder}/`}${slug}/`
  }
}

/** The slug from the title, if the pattern uses it; undefined when the pattern uses the slug or the file name. */
function titleSlug({ values, title }: PostHead, pattern = ''): string | undefined {
  if (textAt(values, 'slug', 'url') !== undefined && !/:title\b/.test(pattern)) return undefined
  return /:(?:title|slug)\b/.test(pattern) ? urlized(title).replaceAll('/', '-') : undefined
}

/** A title in Hugo's URL form: spaces become hyphens, and most other special characters are removed. */
function urlized(title: string): string {
  const kept = title.normalize('NFC').replace(/[^\p{L}\p{M}\p{Nd}\s._#+~@/\\-]/gu, '')
  return kept.trim().replace(/\s+/g, '-').replace(/-{2,}/g, '-').toLowerCase()
}

interface ShortcodeSources extends Pick<ImportContext, 'templates'> {
  readonly tree: SourceTree
  readonly config: Values
  readonly files: readonly PostFile[]
}

function shortcodeSite({ tree, config, files, templates }: ShortcodeSources): ShortcodeSite {
  const byEnd = new Map<string, string>()
  for (const { path } of files)
    for (const end of endsOf(path)) if (!byEnd.has(end)) byEnd.set(end, path)
  return {
    address: (reference, context) => {
      const [path = '', anchor] = reference.split('#')
      const fragment = anchor === undefined ? '' : `#${anchor}`
      if (path === '') return fragment
      const key = path
        .replace(/^\.?\//, '')
        .replace(/\.(?:md|markdown)$/, '')
        .replace(/\/(?:_?index)?$/, '')
        .toLowerCase()
      const sibling = posix.join(posix.dirname(context.head.file.path), path)
      const file = files.some((post) => post.path === sibling) ? sibling : byEnd.get(key)
      const address = file === undefined ? undefined : context.addressOf(file)
      return (address ?? `/${key.replace(/\/_index$/, '')}/`) + fragment
    },
    parameter: (name, { head }) =>
      textAt(head.values, name, `params.${name}`) ?? textAt(config, `params.${name}`, name),
    template: (name) => {
      const path = templateOf(tree, name)
      return templates.get(name) ?? (path === undefined ? undefined : tree.text(path))
    },
  }
}

/** `post/a/title`, `a/title` and `title` for `content/post/a/title/index.md`. */
function endsOf(path: string): readonly string[] {
  const parts = path
    .replace(/\.(?:md|markdown)$/i, '')
    .replace(/\/index$/i, '')
    .toLowerCase()
    .split('/')
  return parts.map((_, index) => parts.slice(index).join('/'))
}

function templateOf(tree: SourceTree, name: string): string | undefined {
  const ends = ['layouts/shortcodes', 'layouts/_shortcodes'].map(
    (folder) => `${folder}/${name}.html`,
  )
  return (
    ends.find((path) => tree.has(path)) ??
    tree.files.find(
      (path) => /^(?:themes|vendor)\//.test(path) && ends.some((end) => path.endsWith(`/${end}`)),
    )
  )
}
