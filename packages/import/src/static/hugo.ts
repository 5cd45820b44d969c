// Hugo: `content`, page bundles, permalinks and languages from the configuration, shortcodes.

import { posix } from 'node:path'
import { imageExtension } from 'quarry/authoring'
import { trimmedEnd } from '../parts.ts'
import type { ImportReport } from '../report.ts'
import type { ImportContext } from '../site.ts'
import { originOf } from './config-text.ts'
import { defineFromFiles } from './data-files.ts'
import { findPosts } from './folders.ts'
import { asList, isMap, textAt, type Values, valueAt } from './front.ts'
import type { PostFile, PostHead, SiteDates, SiteGenerator } from './generator.ts'
import { matchesGlob, matchesTree } from './globs.ts'
import { readHugoConfig } from './hugo-config.ts'
import { withoutKramdown } from './kramdown.ts'
import { zoneNamed } from './moments.ts'
import { fillPermalink, postLinkOf } from './permalinks.ts'
import { baseName } from './post-head.ts'
import { rootsOf } from './roots.ts'
import { sectionReader } from './sections.ts'
import { zolaShortcodes } from './shortcode-syntax.ts'
import { alwaysShowsInner, runTemplate, showsText } from './shortcode-template.ts'
import { type ShortcodeSite, translateShortcodes } from './shortcodes.ts'
import type { SourceTree } from './source-tree.ts'

export const hugo: SiteGenerator = (tree, { posts, language, report, templates }) => {
  const config = readHugoConfig(tree)
  const configured = textAt(config, 'defaultContentLanguage') ?? 'en'
  const folder =
    textAt(config, `languages.${language ?? configured}.contentDir`, 'contentDir')?.replace(
      /^\.?\//,
      '',
    ) ?? 'content'
  const isContent = (path: string) => path.startsWith(`${folder}/`) || /^content\//.test(path)
  const root = (path: string) => pathInSite(path, folder)
  const dates = readDates(config, language ?? configured)
  const publication = {
    now: new Date().toISOString(),
    zone: dates.zone,
    expiryKeys: dates.keys?.expiry,
  }
  const below = sectionReader({
    tree,
    config,
    language: language ?? configured,
    root,
    publication,
  })
  const isIgnored = ignoredFiles(config, report)
  const stated = (path: string) => {
    const found = below(path)
    return isIgnored(path) ? { ...found, withheld: 'the configuration ignores the file' } : found
  }
  for (const key of ['buildDrafts', 'buildFuture', 'buildExpired'].filter(
    (name) => textAt(config, name) === 'true',
  ))
    report.add(
      'left',
      `\`${key}: true\`: posts that it shows are drafts or scheduled`,
      'configuration',
    )
  const rules = { posts, isContent, language, configured, stated }
  const files = withoutResources(findPosts(tree, rules, report))
  const patterns = permalinks(config)
  const address = (head: PostHead) => addressOf(head, root(head.file.path), patterns)
  const site = shortcodeSite({ tree, config, files, templates })
  const section = sectionOf(root(files[0]?.path ?? ''))
  const base = basePath(config)
  const isZola = textAt(config, 'base_url') !== undefined
  return {
    name: textAt(config, `languages.${language ?? configured}.title`, 'title'),
    url: originOf(textAt(config, 'baseURL')),
    base,
    posts: files,
    roots: rootsOf(tree, ['static', 'assets', folder, 'content']),
    dates,
    slug: (head) => titleSlug(head, patterns.get(sectionOf(root(head.file.path)))),
    address: (head) => base + address(head),
    postLink:
      base +
      postLinkOf(patterns.get(section) ?? (section === '' ? '/:slug/' : `/${section}/:slug/`)),
    ownKeys: [
      'type',
      'layout',
      'weight',
      'menu',
      'outputs',
      'headless',
      'markup',
      'linktitle',
      'toc',
      'comments',
      'sitemap',
      'isCJKLanguage',
      'expirydate',
      'cascade',
      'build',
      '_build',
      'resources',
    ],
    translate: (body, context) =>
      withoutKramdown(
        translateShortcodes(isZola ? zolaShortcodes(body) : body, site, context),
        context,
      ),
    define: (defineTerm) => defineFromFiles(tree, report, defineTerm),
  }
}

/** The time zone and the keys of dates, from `timeZone` and `frontmatter`. */
function readDates(config: Values, language: string): SiteDates {
  // Names such as `:filename` are rules of Hugo, not keys.
  const keys = (name: string) =>
    asList(valueAt(config, `frontmatter.${name}`))
      .map(String)
      .filter((key) => !key.startsWith(':'))
  const zone = zoneNamed(textAt(config, `languages.${language}.timeZone`, 'timeZone'))
  return {
    zone,
    hasWrittenDays: true,
    keys: { date: keys('date'), start: keys('publishDate'), expiry: keys('expiryDate') },
  }
}

/** Files that `ignoreFiles` of Hugo or `ignored_content` of Zola names. Only simple regular expressions are safe to run. */
function ignoredFiles(config: Values, report: ImportReport): (path: string) => boolean {
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
function withoutResources(files: readonly PostFile[]): readonly PostFile[] {
  const bundles = new Set(
    files.filter(({ path }) => isIndex(path)).map(({ path }) => posix.dirname(path)),
  )
  return files.filter(({ path }) => {
    if (isIndex(path)) return true
    const parts = path.split('/')
    return !parts.some((_, index) => index > 0 && bundles.has(parts.slice(0, index).join('/')))
  })
}

function isIndex(path: string): boolean {
  return /(?:^|\/)index\.(?:[a-z]{2}(?:-[a-z]{2,4})?\.)?\w+$/i.test(path)
}

/** `post/title.md` for `content/en/post/title.md`. */
function pathInSite(path: string, folder: string): string {
  const below = path.startsWith(`${folder}/`)
    ? path.slice(folder.length + 1)
    : path.replace(/^content\//, '')
  return below.replace(/^[a-z]{2}(?:-[a-z]{2,4})?\//i, '')
}

function sectionOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : ''
}

function basePath(config: Values): string {
  const url = textAt(config, 'baseURL')
  return url !== undefined && URL.canParse(url) ? trimmedEnd(new URL(url).pathname, '/') : ''
}

/** Permalink patterns by section; newer versions of Hugo nest them under `page`. */
function permalinks(config: Values): ReadonlyMap<string, string> {
  const found = valueAt(config, 'permalinks')
  if (!isMap(found)) return new Map()
  const pages = valueAt(found, 'page')
  const all = isMap(pages) ? { ...found, ...pages } : found
  return new Map(
    Object.entries(all).flatMap(([section, pattern]) =>
      typeof pattern === 'string' ? [[section, pattern] as const] : [],
    ),
  )
}

function addressOf(head: PostHead, path: string, patterns: ReadonlyMap<string, string>): string {
  const stated = textAt(head.values, 'url')
  if (stated !== undefined) return stated.startsWith('/') ? stated : `/${stated}`
  const pattern = patterns.get(sectionOf(path))
  if (pattern !== undefined)
    return fillPermalink(pattern, { ...head, slug: titleSlug(head, pattern) ?? head.slug })
  const plain = path.replace(/\/index\.[^/]*$/i, '.md')
  const folder = posix.dirname(plain)
  const name = textAt(head.values, 'slug') ?? baseName(head.file.path)
  return `/${folder === '.' ? '' : `${folder}/`}${name}/`.toLowerCase()
}

/** The slug from the title, if the pattern uses it; undefined when the pattern uses the slug or the file name. */
function titleSlug({ values, title }: PostHead, pattern = ''): string | undefined {
  if (textAt(values, 'slug', 'url') !== undefined && !/:title\b/.test(pattern)) return undefined
  return /:(?:title|slug)\b/.test(pattern) ? urlized(title) : undefined
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
    siblingFiles: (pattern, { head }) => {
      const folder = posix.dirname(head.file.path)
      const inFolder = tree.below(folder).map((path) => path.slice(folder.length + 1))
      return inFolder.filter(
        (path) =>
          imageExtension(path) !== null &&
          matchesGlob(path.toLowerCase(), pattern.toLowerCase(), false),
      )
    },
    parameter: (name, { head }) =>
      textAt(head.values, name, `params.${name}`) ?? textAt(config, `params.${name}`, name),
    template: (shortcode, inner, context) => {
      const given = templates.get(shortcode.name)
      if (given !== undefined) return runTemplate(given, shortcode, inner, context)
      const path = templateOf(tree, shortcode.name)
      const text = path === undefined ? undefined : tree.text(path)
      if (text === undefined) return undefined
      return runTemplate(text, shortcode, inner, context) ?? (showsText(text) ? undefined : '')
    },
    mayHideText: ({ name }) => {
      const path = templateOf(tree, name)
      return path !== undefined && !alwaysShowsInner(tree.text(path) ?? '')
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
