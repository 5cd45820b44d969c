// Hugo and Zola: `content`, page bundles, sections, permalinks and languages from the configuration, shortcodes.
import { posix } from 'node:path'
import { runInNewContext } from 'node:vm'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { slugify } from 'quarry/authoring'
import { visit } from 'unist-util-visit'
import { type Range, remembered, replaceParts, trimmedEnd } from '../parts.ts'
import type {
  ImportContext,
  PostFile,
  PostHead,
  SiteDates,
  SiteGenerator,
  StaticSite,
  Step,
} from '../site.ts'
import { fill } from './code-mask.ts'
import { fillPermalink } from './destinations.ts'
import { markupSteps } from './dialects.ts'
import { asList, isMap, readSource, textAt, type Values, valueAt } from './front.ts'
import type { Publication } from './post-head.ts'
import { baseName, readMoment, undatedName, withheldBy, zoneNamed } from './post-head.ts'
import { hugoSettings } from './settings.ts'
import { type ShortcodeSite, translateShortcodes } from './shortcodes.ts'
import type { SourceTree } from './source-tree.ts'
import { excludedBy, leftBy, matchesGlob, matchesTree } from './source-tree.ts'
import { folderSite } from './tools.ts'

export const hugo: SiteGenerator = (tree, context) => {
  const { language, report } = context
  const config = hugoSettings(tree)
  const isZola = textAt(config, 'base_url') !== undefined
  const configured = textAt(config, 'defaultContentLanguage', 'default_language') ?? 'en'
  const chosen = language ?? configured
  const mounts = contentMounts(config, chosen)
  const languages = valueAt(config, 'languages')
  const names = Object.keys(isMap(languages) ? languages : {})
  const foreign = names
    .filter((name) => name !== chosen)
    .flatMap((name) => textAt(config, `languages.${name}.contentDir`)?.replace(/^\.?\//, '') ?? [])
  const isContent = (path: string) =>
    mounts.some(({ source }) => path.startsWith(`${source}/`)) &&
    !foreign.some((folder) => folder !== 'content' && path.startsWith(`${folder}/`))
  const root = (path: string) => pathInSite(path, mounts)
  const dates = readDates(config, chosen)
  const now = new Date().toISOString()
  const publication = { now, zone: dates.zone, expiryKeys: dates.keys?.expiry }
  const indexes = sectionIndexes(tree, chosen)
  const content = { tree, config, language: chosen, root, publication, indexes }
  const stated = sectionReader(content, ignoredFiles(tree, config, chosen))
  const markup = isZola ? /\.md$/i : /\.(?:md|markdown|mdown|mkd|mmark|html?)$/i
  const disabled = asList(valueAt(config, 'disableLanguages')).map(String)
  const baseURL = textAt(config, 'baseURL', 'base_url') ?? ''
  const base = URL.canParse(baseURL) ? trimmedEnd(new URL(baseURL).pathname, '/') : ''
  // `/de` for a language that is not at the root.
  const isInFolder = textAt(config, 'defaultContentLanguageInSubdir') === 'true'
  const rootOf = (code = chosen) =>
    code === configured && !isInFolder ? '' : `/${code.toLowerCase()}`
  const isUgly = textAt(config, 'uglyURLs') === 'true'
  const address = addressIn(content, isZola)
  const plugins = JSON.stringify(valueAt(config, 'markup.goldmark.extensions.extras') ?? '')
  const extras = plugins.replace(/"(\w+)":\{"enable":"?true/g, '-$1')
  const omitsHtml =
    !isZola &&
    Object.keys(config).length > 0 &&
    textAt(config, 'markup.goldmark.renderer.unsafe') !== 'true' &&
    /^(?:goldmark)?$/.test(textAt(config, 'markup.defaultMarkdownHandler') ?? '')
  const isServed = /^(?:static|assets)\/?$/
  const served = [...mountsOf(config).filter(({ target }) => isServed.test(target)), ...mounts]
  const site: StaticSite = folderSite(tree, context, {
    ...{ isContent, configured, stated, markup, pathInSite: root },
    languages: [...names, configured].map((name) => name.toLowerCase()),
    pageReason: resourceReason(tree.files.filter((path) => markup.test(path))),
    name: textAt(config, `languages.${chosen}.title`, 'title'),
    url: baseURL,
    base,
    statics: ['static', 'assets', ...served.map(({ source }) => source)],
    dates,
    slug: (head) =>
      isZola ? undefined : titleSlug(head, patternFor(config, root(head.file.path))),
    address: (head) => rootOf() + address(head).replace(/\/$/, isUgly ? '.html' : '/'),
    ownKeys:
      'type layout weight menu outputs headless markup linktitle toc comments sitemap isCJKLanguage expirydate cascade build _build resources template page_template in_search_index insert_anchor_links',
    steps: [
      ...(omitsHtml ? [withoutHtml] : []),
      {
        name: 'shortcodes → Markdown',
        run: (text, body) => translateShortcodes(text, shortcodes, body, isZola),
      },
      ...markupSteps(isZola ? '' : `goldmark ${extras}`),
    ],
  })
  const shortcodes = shortcodeSite(tree, context, config, site.posts, (code) => base + rootOf(code))
  report.languages = report.languages.filter(
    (one) => !disabled.includes(one) && textAt(config, `languages.${one}.disabled`) !== 'true',
  )
  return site
}

/** Goldmark leaves out raw HTML without the setting `unsafe`. The output of shortcodes is no raw HTML. */
const withoutHtml: Step = {
  name: 'raw HTML, which Hugo shows only with `unsafe` → left out',
  run: (text, { head }) => {
    if (/\.html?$/i.test(head.file.path) || !/<[a-z!?/]/i.test(text)) return text
    const masked = replaceParts(
      text,
      /\{\{<\s{0,9}([\w-]+)\b[^{}]{0,2000}?>\}\}/g,
      ([, name]) => `\\{\\{<\\s{0,9}/${name}\\s{0,9}>\\}\\}`,
      ({ start, end }) => text.slice(start, end).replace(/./g, 'x'),
    ).replace(/\{\{[<%][^{}]{0,2000}[>%]\}\}/g, (code) => code.replace(/./g, 'x'))
    const ranges: Range[] = []
    visit(fromMarkdown(masked), 'html', ({ value, position }) => {
      const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? 0]
      if (!value.startsWith('<!--')) ranges.push([start, end])
    })
    return fill(text, ranges).replaceAll('\uFDD0', '')
  },
}

function mountsOf(config: Values) {
  return asList(valueAt(config, 'module.mounts')).flatMap((item) => {
    const mount = isMap(item) ? item : {}
    const [source, target] = [textAt(mount, 'source'), textAt(mount, 'target')]
    if (source === undefined || target === undefined) return []
    const folder = source.replace(/^\.?\//, '')
    const given = (key: string, sign = '') => asList(mount[key]).map((glob) => sign + glob)
    // Newer versions of Hugo have one list.
    const all = [...given('files'), ...given('includeFiles'), ...given('excludeFiles', '!')]
    const lang = textAt(mount, 'lang')
    return [{ source: folder, target, lang, left: leftBy('files', all, `${folder}/`) }]
  })
}

/** Returns the folders of content: from `module.mounts`, or for the language, or `content`. */
function contentMounts(config: Values, language: string) {
  const all = mountsOf(config).filter(({ target }) => /^content(?:\/|$)/.test(target))
  const mounts = all
    .filter(({ lang = language }) => lang === language)
    .map(({ source, target }) => ({ source, target: target.replace(/^content\/?/, '') }))
  const folder = textAt(config, `languages.${language}.contentDir`, 'contentDir') ?? 'content'
  const plain = [folder.replace(/^\.?\//, ''), 'content'].map((source) => ({ source, target: '' }))
  return all.length > 0 ? mounts : plain
}

/** `post/title.md` for `content/en/post/title.md`. */
function pathInSite(path: string, mounts: ReturnType<typeof contentMounts>): string {
  const mount = mounts.find(({ source }) => path.startsWith(`${source}/`))
  const below =
    mount === undefined ? path : posix.join(mount.target, path.slice(mount.source.length + 1))
  return below.replace(/^[a-z]{2}(?:-[a-z]{2,4})?\//i, '')
}

/** The time zone and the keys of dates, from `timeZone` and `frontmatter`. */
function readDates(config: Values, language: string): SiteDates {
  const keys = (name: string) => asList(valueAt(config, `frontmatter.${name}`)).map(String)
  const zone = zoneNamed(textAt(config, `languages.${language}.timeZone`, 'timeZone'))
  // Hugo's keys come last. No post has the keys that are other rules of Hugo, such as `:git`.
  const own = 'date publishDate pubdate published lastmod modified'.split(' ')
  const [start, expiry] = [keys('publishDate'), keys('expiryDate')]
  return { zone, hasWrittenDays: true, keys: { date: [...keys('date'), ...own], start, expiry } }
}

function ignoredFiles(
  { files }: SourceTree,
  config: Values,
  language: string,
): (path: string) => string | undefined {
  const isOn = (key: string, value: string) => asList(valueAt(config, key)).includes(value)
  if (isOn('disableKinds', 'page') || isOn('disableLanguages', language))
    return () => 'the configuration disables its kind or language'
  const globs = asList(valueAt(config, 'ignored_content')).map((glob) => `**/${glob}`)
  const mounts = mountsOf(config)
  const isLeft = (path: string) =>
    mounts.some(({ source, left }) => path.startsWith(`${source}/`) && left(path) !== undefined)
  const keys = ['ignoreFiles', `languages.${language}.ignoreFiles`]
  const sources = keys.flatMap((key) => asList(valueAt(config, key))).map(String)
  try {
    // An expression of the site may be Go's only, or take for ever.
    const test = 'files.filter((path) => sources.some((it) => RegExp(it).test("/" + path)))'
    const found = runInNewContext(test, { files, sources }, { timeout: 2000 })
    const ignored = new Set<string>(found)
    const isIgnored = (it: string) =>
      /(?:^|\/)#|~$/.test(it) ||
      ignored.has(it) ||
      isLeft(it) ||
      globs.some((glob) => matchesTree(it, glob))
    return (path) => (isIgnored(path) ? 'the configuration ignores the file' : undefined)
  } catch {
    return excludedBy('ignoreFiles', [undefined])
  }
}

/** Creates a test of files in the bundle of a page, a folder with `index.md`: they are no pages. */
function resourceReason(files: readonly string[]): (path: string) => string | undefined {
  const isIndex = (path: string) => /(?:^|\/)index(?:\.[a-z]{2}(?:-\w+)?)?\.\w+$/i.test(path)
  const bundles = new Set(files.filter(isIndex).map((path) => posix.dirname(path)))
  return (path) => {
    const parts = path.split('/')
    const isBelow = parts.some((_, at) => at > 0 && bundles.has(parts.slice(0, at).join('/')))
    return isBelow && !isIndex(path) ? 'resource of a page bundle' : undefined
  }
}

/** Returns the permalink pattern of a page's section. Newer versions of Hugo nest patterns under `page`. */
function patternFor(config: Values, path: string): string | undefined {
  const section = path.includes('/') ? (path.split('/')[0] ?? '') : ''
  return textAt(config, `permalinks.page.${section}`, `permalinks.${section}`)
}

function addressIn({ config, root, indexes }: SectionSite, isZola: boolean) {
  const sections = new Set(Array.from(indexes.values(), (path) => posix.dirname(root(path))))
  // Zola always leaves out a date in a file's name; Hugo does so with this rule.
  const cutsDates = isZola || asList(valueAt(config, 'frontmatter.date')).includes(':filename')
  const nameOf = cutsDates ? undatedName : baseName
  const isPlain = /^(?:off|safe)$/.test(textAt(config, 'slugify.paths') ?? '')
  const named = !isZola ? urlized : isPlain ? String : slugify
  return (head: PostHead): string => {
    const stated = textAt(head.values, isZola ? 'path' : 'url')
    if (stated !== undefined) return posix.join('/', stated, /\.\w+$/.test(stated) ? '' : '/')
    const path = root(head.file.path).replace(/\/index\.[^/]*$/i, '.md')
    const pattern = patternFor(config, path) ?? ':path/:slug'
    const name = textAt(head.values, 'slug') ?? named(nameOf(head.file))
    const slug = titleSlug(head, patternFor(config, path)) ?? name
    const names = sectionNames(path, sections)
    const own = { path: posix.dirname(`/${path}`), section: names[0], sections: names.join('/') }
    const filled = fillPermalink(`/${pattern}/`, { ...head, slug }, own)
    if (/[:[]/.test(filled)) return pattern
    return isZola ? filled : urlized(filled)
  }
}

/** Returns the folders of a page's section: up to the nearest folder with `_index.md`, or only the first folder. */
function sectionNames(path: string, sections: ReadonlySet<string>): readonly string[] {
  const names = path.split('/').slice(0, -1)
  while (names.length > 1 && !sections.has(names.join('/'))) names.pop()
  return names
}

function titleSlug({ values, title }: PostHead, pattern = ''): string | undefined {
  if (textAt(values, 'slug', 'url') !== undefined && !/:title\b/.test(pattern)) return undefined
  return /:(?:title|slug)\b/.test(pattern) ? urlized(title).replaceAll('/', '-') : undefined
}

/** Converts a title to Hugo's form in URLs: spaces become hyphens, and most other special characters are removed. */
function urlized(title: string): string {
  const kept = title.normalize('NFC').replace(/[^\p{L}\p{M}\p{Nd}\s._#+~@/\\-]/gu, '')
  return kept.trim().replace(/\s+/g, '-').replace(/-{2,}/g, '-').toLowerCase()
}

function shortcodeSite(
  tree: SourceTree,
  { templates }: ImportContext,
  config: Values,
  files: readonly PostFile[],
  rootOf: (language?: string) => string,
): ShortcodeSite {
  // `/content/post/a/title` for `content/post/a/title/index.md`
  const plain = files.map(({ path }) => {
    const name = `/${path.replace(/(?:\/index)?\.(?:md|markdown)$/i, '').toLowerCase()}`
    return { name, path }
  })
  const folder = /^(?:(?:themes|vendor)\/.*)?(?:layouts\/_?|templates\/)shortcodes\//
  const shortcodes = tree.files.filter((path) => folder.test(path))
  return {
    address: (reference, context, language) => {
      const [path = '', anchor] = reference.split('#')
      const fragment = anchor === undefined ? '' : `#${anchor}`
      if (path === '') return fragment
      const key = path
        .replace(/^\.?\//, '')
        .replace(/\.(?:md|markdown)$/, '')
        .replace(/\/(?:_?index)?$/, '')
        .toLowerCase()
      const sibling = posix.join(posix.dirname(context.head.file.path), path)
      // Cost: O(posts) for each reference.
      const file =
        files.find((post) => post.path === sibling) ??
        plain.find((post) => post.name.endsWith(`/${key}`))
      const address = file && context.addressOf(file.path)
      if (rootOf(language) !== rootOf())
        context.changed('reference to another language → the same path in that language')
      else if (address === undefined)
        context.changed('reference to a page that is not a post in this language → a path')
      return rootOf(language) + (address?.slice(rootOf().length) ?? `/${key}/`) + fragment
    },
    parameter: (name, { head }) =>
      textAt(head.values, name, `params.${name}`) ?? textAt(config, `params.${name}`, name),
    template: (name) => {
      // Shortcodes of the site come before those of themes.
      const isNamed = (it: string) => it.replace(folder, '').replace(/\.(?:html|md)$/, '') === name
      const path = shortcodes.find(isNamed)
      return templates.get(name) ?? (path && tree.text(path))
    },
  }
}

/** A site whose sections set values for the pages below them: `cascade` in `_index.md` and in the configuration. */
interface SectionSite {
  readonly tree: SourceTree
  readonly config: Values
  readonly language: string
  /** The path of a page in the site: `post/title.md` for `content/post/title.md`. */
  root(path: string): string
  readonly publication: Publication
  /** Pages of sections, such as `_index.md`, by their folders. */
  readonly indexes: ReadonlyMap<string, string>
}

interface Section {
  /** Values of its cascades, each with the pages to which they apply. */
  readonly cascades: readonly { readonly target: Values; readonly values: Values }[]
  readonly withheld: string | undefined
}

function sectionIndexes(tree: SourceTree, language: string): SectionSite['indexes'] {
  const indexes = new Map<string, string>()
  for (const path of tree.files) {
    const [name, of = language] =
      /^_index(?:\.([a-zA-Z-]{2,10}))?\.\w+$/.exec(posix.basename(path)) ?? []
    if (name !== undefined && of === language) indexes.set(posix.dirname(path), path)
  }
  return indexes
}

function sectionReader(site: SectionSite, ignoredBy: ReturnType<typeof ignoredFiles>) {
  const { tree, publication, indexes } = site
  const sectionOf: (folder: string) => Section = remembered((folder) => {
    const top = { cascades: cascadesOf(site.config), withheld: undefined }
    const parent = folder === '.' ? top : sectionOf(posix.dirname(folder))
    const path = indexes.get(folder)
    const own = path && readSource(tree, path)?.values
    return path && own ? belowSection(path, own, parent) : parent
  })
  const belowSection = (path: string, own: Values, parent: Section): Section => {
    const cascades = [...parent.cascades, ...cascadesOf(own)]
    const values = { ...valuesFor(path, 'section', cascades, site), ...own }
    // A withheld section withholds its pages. The pages of a section without `_index.md` are public.
    const start = readMoment(textAt(values, 'publishDate', 'date') ?? '', publication.zone) ?? ''
    const keys = ['draft', 'expiryDate', 'unpublishDate', ...(publication.expiryKeys ?? [])]
    const stated = Object.fromEntries(keys.map((key) => [key, valueAt(values, key)]))
    const reason =
      start > publication.now ? 'a date in the future' : withheldBy(stated, publication)
    return { cascades, withheld: parent.withheld ?? (reason && `its section has ${reason}`) }
  }
  return (path: string) => {
    const section = sectionOf(posix.dirname(path))
    const withheld = ignoredBy(path) ?? section.withheld
    return { withheld, defaults: valuesFor(path, 'page', section.cascades, site), isPost: false }
  }
}

function cascadesOf(values: Values): Section['cascades'] {
  return asList(valueAt(values, 'cascade')).flatMap((item) => {
    if (!isMap(item)) return []
    const target = valueAt(item, '_target') ?? valueAt(item, 'target')
    const stated = valueAt(item, 'params')
    const all: Values = { ...(isMap(stated) && stated), ...item }
    const { cascade: _, _target: __, target: ___, ...own } = all
    return [{ target: isMap(target) ? target : {}, values: own }]
  })
}

function valuesFor(
  path: string,
  kind: 'page' | 'section',
  cascades: Section['cascades'],
  site: SectionSite,
): Values {
  const logical = `/${site.root(path)}`.toLowerCase()
  const plain = logical.replace(/(?:\/_?index)?\.\w+$/, '')
  const fitting = cascades.filter(({ target }) => {
    const glob = textAt(target, 'path')?.toLowerCase() ?? ''
    const isNamed = glob === '' || [logical, plain, `${plain}/`].some((it) => matchesGlob(it, glob))
    const isKind = matchesGlob(kind, textAt(target, 'kind') ?? '*')
    return isNamed && isKind && matchesGlob(site.language, textAt(target, 'lang') ?? '*')
  })
  return Object.assign({}, ...fitting.map(({ values }) => values))
}
