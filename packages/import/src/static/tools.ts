// A table of tools with content in folders of Markdown files: Astro, Next, Gatsby, VitePress, Docusaurus, Hexo,
// Pelican, Nikola and the blog of Material for MkDocs.
import { posix } from 'node:path'
import { slugify } from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import { remembered, trimmedEnd } from '../parts.ts'
import type { ImportContext, PostHead, SiteGenerator, StaticSite, Step } from '../site.ts'
import { replaceOutsideCode } from './code-mask.ts'
import { fillPermalink, type Places } from './destinations.ts'
import { admonitionsToAlerts, containersToAlerts, markupSteps } from './dialects.ts'
import { pluginNames, rule, unread } from './extensions.ts'
import { type FolderRules, findPosts } from './folders.ts'
import { asList, isMap, merged, readSource, textAt, type Values, valueAt } from './front.ts'
import { createLiquid, liquidData } from './liquid.ts'
import { mdxToMarkdown, translateTags, usesMdx } from './mdx.ts'
import { namesOf } from './post-fields.ts'
import { baseName, judge, undatedName, zoneNamed } from './post-head.ts'
import { routedAddresses } from './routes.ts'
import { filteredBy, Programs, settingsIn } from './settings.ts'
import { translateShortcodes } from './shortcodes.ts'
import {
  excludedBy,
  leftBy,
  matchesTree,
  originOf,
  readMap,
  rootsOf,
  type SourceTree,
} from './source-tree.ts'

interface Layout
  extends Omit<FolderRules, 'posts' | 'language'>,
    Partial<Omit<StaticSite, 'posts' | 'roots' | 'steps' | 'address'>>,
    Pick<StaticSite, 'steps' | 'address'> {
  /** The configuration, if it is a program. */
  readonly programs?: Programs
  readonly folder?: string | undefined
  /** Folders that are served from the root. @default public and static */
  readonly statics?: readonly string[]
  readonly parent?: string
}

export function folderSite(tree: SourceTree, context: ImportContext, layout: Layout): StaticSite {
  const { posts, language, report } = context
  const { programs } = layout
  const stated = programs?.text(['base', 'basePath', 'pathPrefix'], '/') ?? ''
  const { base = trimmedEnd(stated, '/') } = layout
  const computed = /(?:^|[\s{,])(?:base|basePath|baseUrl|pathPrefix)["']?\s?[:=]\s?(?![\s"'`{[(])/
  const isComputed = base === '' && (programs?.match('', computed) ?? null) !== null
  // If a program computes the origin, another URL of the configuration is not that of the site.
  const origin = programs?.match('', /(?:^|[\s{,])site(?:Url)?["']?\s?[:=]\s?(?![\s"'`{[(])/)
  const names = origin ? [] : ['site', 'url', 'siteUrl', 'baseUrl']
  const url = layout.url ?? programs?.text(names, 'https?:')
  const slashed = /\btrailingSlash["']?\s?:\s?(?:true|["']always)/
  const end = programs?.match('trailingSlash', slashed) ? '/' : ''
  const dataFile = /(?:^|\/)(?:siteMetadata|site\.config|site-config|config)\.(?:[cm]?[jt]s|json)$/
  const data = programs ? Programs.in(tree, dataFile) : new Programs()
  const filtered = filteredBy(programs && !context.ignoresDrafts ? tree.programs : '')
  return {
    ...layout,
    name: layout.name ?? data.text(['title', 'siteTitle']),
    url: originOf(url ?? data.text('siteUrl', 'https?:')),
    base,
    withholds: (values) => layout.withholds?.(values) ?? filtered(values),
    posts: findPosts(tree, { ...layout, language, posts: posts ?? layout.folder }, report),
    roots: rootsOf(tree, layout.statics ?? ['public', 'static'], layout.parent ?? programs?.parent),
    address: (head) => {
      // The path below the base.
      const path = layout.address(head)
      return path && base + (path.endsWith('/') ? path : path + end)
    },
    isGuess: (head) => isComputed || layout.isGuess?.(head) === true,
    ownKeys: `layout toc sidebar outline aside editLink setup prerender head ${layout.ownKeys ?? ''}`,
  }
}

/** Astro, Docusaurus and Hexo leave out files and folders whose names begin with `_`. */
function underscored(path = ''): string | undefined {
  const [, name] = /(?:^|\/)(_[^/]*)/.exec(path) ?? []
  return name && `the name \`${name}\` begins with \`_\``
}

/** Returns the first tag of a post that withholds it, among these names. */
function tagIn(values: Values, names: readonly (string | undefined)[]): string | undefined {
  const tags = ['tags', 'tag'].flatMap((key) => namesOf(values, key, false))
  const found = tags.find((tag) => names.includes(tag))
  return found && `its tag \`${found}\``
}

export const containers: Step = { name: 'containers', run: containersToAlerts }

/** Puts the text of Markdown in the source in place of the component that imports it. */
function importedText(tree: SourceTree): Step {
  const imports = /^import\s+([\w$]+)\s+from\s+['"]([^'"?]+\.mdx?)['"]/gm
  const run: Step['run'] = (text, { head }) => {
    const found = Array.from(text.matchAll(imports), ([, name = '', from = '']) => {
      const near = posix.join(posix.dirname(head.file.path), from)
      const isFile = (path: string) => `/${path}`.endsWith(from.replace(/^[@~][\w-]*(?=\/)/, ''))
      const path = from.startsWith('.') ? near : (tree.files.find(isFile) ?? near)
      return [name, tree.has(path) ? readSource(tree, path)?.body : undefined] as const
    })
    const bodies = new Map(found)
    return replaceOutsideCode(
      text,
      /<([A-Z]\w*)\s*\/>/g,
      ([whole, name = '']) => bodies.get(name) ?? whole,
    )
  }
  return { name: 'imported Markdown → its text', run }
}

/** Returns the steps for files of MDX. @param isOn true if the site reads `.md` as MDX too */
function componentsOf(tree: SourceTree, isOn: boolean): Pick<StaticSite, 'steps' | 'comments'> {
  const isMdx = ({ file }: PostHead) => file.path.endsWith('.mdx')
  const run: Step['run'] = (text, it) =>
    isMdx(it.head) || (isOn && usesMdx(text)) ? mdxToMarkdown(text, it) : text
  return {
    comments: (head) => (isOn || isMdx(head) ? 'JSX' : ''),
    steps: [importedText(tree), { name: 'MDX → Markdown', run }, containers],
  }
}

/** Creates a reader of sites whose programs have paths that are URLs: of Astro, or of Next and Gatsby. */
function routed(isAstro: boolean): SiteGenerator {
  const [configurations, collections] = isAstro
    ? [/(?:^|\/)astro\.config\.\w+$/, /(?:^|\/)(?:content(?:\/|\.)config|schemas?)\.[jt]s$/]
    : [
        /(?:^|\/)(?:next\.config|gatsby-config)\.\w+$/,
        /(?:^|\/)(?:(?:contentlayer|velite)\.config|content-collections)\.\w+$/,
      ]
  return (tree, context) => {
    const programs = Programs.in(tree, configurations, true)
    const { excluded, defaults } = readCollections(Programs.in(tree, collections), context.report)
    const ignored = excludedBy('ignore', isAstro ? [] : programs.texts('ignore'))
    // regex: the path of a file; folders of routes may be private
    const segments = isAstro ? /.*/ : /(?<=(?:^|\/)app\/)(.*\/)(?=page\.mdx?$)/
    const packages = Programs.in(tree, /(?:^|\/)package\.json$/)
    const mdx = componentsOf(tree, !isAstro && packages.match('', /\bmdx\b/) !== null)
    const hasPlayers = programs.match('', /gatsby-remark-(?:embed|video|oembed)/) !== null
    return folderSite(tree, context, {
      programs,
      isContent: (path) =>
        isAstro
          ? /(?:^|\/)(?:src\/)?(?:content|pages|data|blog|posts)\//.test(path)
          : !/^(?:docs|e2e)\//.test(path),
      ...routedAddresses(tree, isAstro),
      stated: (path) => ({
        withheld: ignored(path) ?? excluded(path) ?? underscored(segments.exec(path)?.[0]),
        defaults,
      }),
      // Of these tools, only Gatsby adds its base.
      addsBase: !isAstro && programs.text('pathPrefix', '/') !== undefined,
      ...mdx,
      steps: [...(hasPlayers ? [playersInCode] : []), ...mdx.steps],
    })
  }
}

export const astro: SiteGenerator = routed(true)
export const next: SiteGenerator = routed(false)

/** Reads the globs of collections, and the values that posts without a key have. */
function readCollections(collections: Programs, report: Ledger) {
  const textsOf = (keys: readonly string[]) => keys.flatMap((key) => collections.texts(key))
  const leftOut = excludedBy('exclude', textsOf(['exclude', 'contentDirExclude']))
  const notNamed = leftBy('pattern', textsOf(['pattern', 'filePathPattern']))
  const [program = ''] = collections.match('', /[\s\S]+/) ?? []
  // Each key of the schema with its type: `draft: z.boolean().default(true)` in Zod, `draft: { default: true }` in Contentlayer.
  const schema = program.split(/(?:[{,]|\bconst)\s*["']?(?!(?:type|default)\b)(\w+)["']?\s?[:=]/)
  const defaults: Record<string, string> = {}
  let computed: string | undefined
  for (let at = 1; at < schema.length; at += 2) {
    const [key = '', type = ''] = schema.slice(at)
    const standard = /\b(?:default|catch|prefault|fallback)(?:\(|:)[^\w)]*(?:\)[^\w)]+)?([\w -]+)/
    const [, value = /bool/i.test(type) ? 'false' : ''] = standard.exec(type) ?? []
    if (judge(key, value) === 'hidden') defaults[key] = value
    else if (!/^(?:false|)$/.test(value))
      report.add('left', `default of \`${key}\` in the schema: not read`, 'content.config')
    const decides = ['true', 'false', 'private'].some((it) => judge(key, it) === 'hidden')
    const isProgram = /\b(?:preprocess|transform|pipe|overwrite|codec)\(/.test(type)
    if (decides && isProgram && !/date/i.test(type))
      computed ??= `\`${key}\` of the schema is a program that may withhold it`
  }
  return { excluded: (path: string) => leftOut(path) ?? notNamed(path) ?? computed, defaults }
}

/** `` `youtube: id` `` of plugins of Gatsby */
const playersInCode = unread(
  'player in code',
  /(?<!`)`(?:youtube|vimeo|video|codepen|codesandbox|gist|twitter|instagram): ?[^`\s]+`/gi,
  true,
)

export const vitepress: SiteGenerator = (tree, context) => {
  const programs = Programs.in(tree, /(?:^|\/)\.vitepress\/config(?:\.\w+|\/index\.\w+)$/, true)
  const parent = programs.parent.replace(/(?:^|\/)\.vitepress(?:\/config)?$/, '')
  const root = posix.join(parent, programs.text('srcDir') ?? '')
  const base = posix.join(root, '/').replace(/^\.?\//, '')
  const excluded = excludedBy('srcExclude', programs.texts('srcExclude'), base)
  const locales = /\blocales["']?:\s?\{[^}]{0,999}\broot\b/
  const codes = programs.match('locales', locales) && /^(?:src\/)?[a-z]{2}(?:-[a-z]{2,4})?\//i
  const end = programs.match('cleanUrls', /\bcleanUrls["']?:\s?true/) === null ? '.html' : ''
  const isRewritten = programs.match('rewrites', /\brewrites\s?[:(]\s?/) !== null
  return folderSite(tree, context, {
    programs,
    name: programs.text('title'),
    isContent: (path) =>
      !path.includes('/.') &&
      path.startsWith(base) &&
      (context.language !== undefined || !codes?.test(posix.relative(root, path))),
    address: ({ file }) => {
      const page = `/${posix
        .relative(root, file.path)
        .replace(/^(?:src|pages)\//, '')
        .replace(/\.\w+$/, end)}`
      return page.replace(/\/(?:index|readme)(?:\.html)?$/i, '/')
    },
    isGuess: () => isRewritten,
    addsBase: true,
    statics: ['public'],
    parent,
    stated: (path) => ({ withheld: excluded(path) }),
    steps: [
      unread('included file', /^[ \t]*<<<[ \t]*\S/gm),
      // Also fences such as `js-vue`, whose code has expressions.
      unread('included file', /<!--\s{0,9}@include:|^[ \t]*[`~]{3,}[ \t]*\w+-vue\b/gm, true),
      unread(
        'expression of Vue',
        /^[ \t]*:{3,}[ \t]*v-pre\b[\s\S]{0,20000}?^[ \t]*:{3,}[ \t]*$|<(\w+)\b[^<>]{0,200}\sv-pre\b[^<>]{0,200}>[\s\S]{0,20000}?<\/\1>|\{\{[\s\S]{1,500}?\}\}|<[a-z]\w*\s(?:[^<>]*\s)?(?:v-(?:bind|html|model|on|text)\b|[:@](?!class|style|key)\w)[^<>]*>/gm,
      ),
      containers,
      ...markupSteps(`vitepress ${programs.match('', pluginNames)}`),
      { name: 'components → Markdown', run: translateTags },
    ],
  })
}

/** Matches the text before the options of a blog. */
const withinBlog = /(?:\bblog["']?\s?:|plugin-content-blog["']\s?,)\s{0,99}(?=\{)/g

export const docusaurus: SiteGenerator = (tree, context) => {
  const programs = Programs.in(tree, /(?:^|\/)docusaurus\.config\.\w+$/, true)
  const { parent } = programs
  const folderOf = (blog: Programs) => posix.join(parent, blog.text('path') ?? 'blog')
  const blogs = programs.within(withinBlog)
  const first = blogs.find((it) => tree.below(folderOf(it)).length > 0) ?? new Programs()
  // The blog that the user chooses, or the first one.
  const options = blogs.find((blog) => folderOf(blog) === context.posts) ?? first
  const mine = posix.join(parent, `i18n/${context.language}/docusaurus-plugin-content-blog`)
  const isTranslated = tree.below(mine).length > 0
  const folder = isTranslated ? mine : (context.posts ?? folderOf(options))
  const plain = trimmedEnd(programs.text('baseUrl', '/') ?? '/', '/')
  const base = isTranslated ? `${plain}/${context.language}` : plain
  const route = trimmedEnd(posix.join('/', options.text('routeBasePath') ?? 'blog'), '/')
  const excluded = excludedBy('exclude', options.texts('exclude'), `${folder}/`)
  const notNamed = leftBy('include', options.texts('include'), `${folder}/`)
  const isOff = blogs.length === 0 && programs.match('blog', /\bblog["']?\s?:\s?false\b/) !== null
  const left = (path: string) =>
    isOff ? '`blog: false` of the configuration' : (notNamed(path) ?? excluded(path))
  const isMdx = !/^(?:detect|md)$/.test(programs.text('format') ?? '')
  const own = { ...context, language: isTranslated ? undefined : context.language }
  const below = (path: string) => path.slice(folder.length + 1)
  const site = folderSite(tree, own, {
    programs,
    folder,
    isContent: () => true,
    name: programs.text('title'),
    ...{ base, addsBase: true },
    statics: ['static', 'public'],
    stated: (path) => ({ withheld: left(path) ?? underscored(path), place: below(path) }),
    authorFolder: folder,
    // A date in the name of a file becomes folders of the URL; other names are the URL.
    address: ({ values, file: { path } }) => {
      const stated = textAt(values, 'slug')
      if (stated !== undefined) return `${route}/${stated.replace(/^\//, '')}`
      const name = below(path).replace(/(?:\/index)?\.mdx?$/i, '')
      const [whole, date] = /(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?/.exec(name) ?? []
      if (whole === undefined || date === undefined) return `${route}/${name}`
      return `${route}/${date.replaceAll('-', '/')}/${name.replace(whole, '')}`
    },
    comments: () => 'JSX',
    ownKeys:
      'hide_table_of_contents toc_min_heading_level toc_max_heading_level sidebar_label pagination_label custom_edit_url sidebar_position authorFBID',
    steps: [
      rule('`pathname://` → a path', /(\]\(<?|\]:[ \t]*|["'])pathname:\/\/(?=\/)/g, '$1'),
      importedText(tree),
      // All Markdown is MDX by default.
      { name: 'MDX → Markdown', run: (text, it) => mdxToMarkdown(text, it, isMdx || undefined) },
      containers,
    ],
  })
  const translation = /(?:^|\/)i18n\/([\w-]+)\/docusaurus-plugin-content-blog\//
  const locales = programs.texts('locales')
  const isOn = (locale: string) => locales.length === 0 || locales.includes(locale)
  const found = tree.files.flatMap((path) => translation.exec(path)?.[1] ?? []).filter(isOn)
  const main = programs.text('defaultLocale') ?? 'en'
  if (found.length > 0) context.report.languages = [...new Set([main, ...found])]
  return site
}

export const hexo: SiteGenerator = (tree, context) => {
  const config = settingsIn(tree, /^_config\.yml$/)
  const source = textAt(config, 'source_dir') ?? 'source'
  const start = `${source}/_posts/`
  const base = trimmedEnd(textAt(config, 'root') ?? '/', '/')
  const pattern = textAt(config, 'permalink') ?? ':year/:month/:day/:title/'
  const cutsDates = /:year|:month/.test(textAt(config, 'new_post_name') ?? '')
  const nameOf = cutsDates ? undatedName : baseName
  const defaults = valueAt(config, 'permalink_defaults')
  const cuts = (end: string) => textAt(config, `pretty_urls.trailing_${end}`) === 'false'
  const globs = ['ignore', 'exclude', 'skip_render'].flatMap((key) => asList(valueAt(config, key)))
  const excluded = excludedBy('ignore', globs.map(String))
  // The default renderer is Marked.
  const parser = valueAt(config, 'markdown') === undefined ? 'marked -deflist' : 'markdown-it'
  const isBroken = textAt(config, 'marked.breaks', 'markdown.render.breaks') !== 'false'
  const plugins = JSON.stringify(valueAt(config, 'markdown.plugins'))
  const secrets = namesOf(config, 'encrypt.tags', false)
  // A plugin hides posts that have this key.
  const hiding = textAt(config, 'hide_posts.filter')
  const liquid = createLiquid({
    tree,
    templates: context.templates,
    globals: { site: { data: liquidData(tree, `${source}/_data`) } },
    includes: `${source}/_includes`,
    ...{ base, isNunjucks: true },
    findPost: (name) =>
      tree.below(start).find((path) => [baseName({ path }), undatedName({ path })].includes(name)),
  })
  return folderSite(tree, context, {
    isContent: (path) => /(?:^|\/)_(?:posts|drafts)\//.test(path),
    isExact: true,
    markup: /\.(?:md|markdown|html?)$/i,
    stated: (path) => ({
      withheld: excluded(path) ?? underscored(path.split('/_posts/')[1]),
    }),
    withholds: (values) =>
      hiding && textAt(values, hiding) === 'true' ? `\`${hiding}\`` : tagIn(values, secrets),
    name: textAt(config, 'title'),
    url: textAt(config, 'url'),
    base,
    statics: [source],
    dates: { zone: zoneNamed(textAt(config, 'timezone')) },
    slug: ({ file, values }) =>
      textAt(values, 'slug', 'permalink') === undefined ? nameOf(file) : undefined,
    address: (head) => {
      const { path } = head.file
      const below = path.startsWith(start) ? posix.dirname(path.slice(start.length)) : '.'
      const slug = posix.join(below, textAt(head.values, 'slug') ?? nameOf(head.file))
      const made = fillPermalink(textAt(head.values, 'permalink') ?? pattern, { ...head, slug })
      // The slug of a category depends on other settings.
      const given = { ...(isMap(defaults) && defaults), ...head.values, category: undefined }
      const filled = made.replace(/:([a-z_]+)/g, (place, key) => textAt(given, key) ?? place)
      const named = cuts('html') ? filled.replace(/(?<!index)\.html$/, '') : filled
      return posix.join('/', cuts('index') ? named.replace(/index\.html$/, '') : named)
    },
    comments: () => 'Nunjucks',
    ownKeys: 'comments mathjax excerpt_separator sticky top disableNunjucks',
    steps: [
      { name: 'tags of Hexo → Markdown', run: liquid },
      ...markupSteps(`${parser} ${isBroken ? 'breaks' : ''} ${plugins}`),
    ],
  })
}

const admonitions: Step = { name: 'admonitions', run: admonitionsToAlerts }

/** Returns the steps for the extensions of Python-Markdown that a setting names. */
function pythonSteps(programs: Programs, key: string): readonly Step[] {
  const isOn = programs.match(key, /\badmonition\b/) !== null
  const plugins = programs.match(key, /pymdownx\.\w+/g)
  return [...(isOn ? [admonitions] : []), ...markupSteps(`python ${plugins}`)]
}

const unreadJinja = unread('expression of Jinja', /\{\{|\{%/g, true)
/** Returns a slug of Python's tools; undefined if a table transliterates its letters. @param isUnicode true if letters stay */
function pythonSlug(text: string, isUnicode = false): string | undefined {
  const marks = isUnicode ? /[\u2010-\u2015]/g : /\p{M}/gu
  const plain = text
    .normalize(isUnicode ? 'NFC' : 'NFKD')
    .replace(marks, '')
    .toLowerCase()
  const kept = plain.replace(/[^\p{L}\p{N}\s_+\u2010-\u2015-]/gu, '').trim()
  if (isUnicode) return kept.replace(/\s/g, '-')
  return /^[ -~\u2010-\u2015]*$/.test(kept) ? kept.replace(/[-\s\u2010-\u2015]+/g, '-') : undefined
}

export const pelican: SiteGenerator = (tree, context) => {
  const programs = Programs.in(tree, /(?:^|\/)(?:pelicanconf|publishconf)\.py$/, true)
  const folder = (programs.text('PATH') ?? 'content').replace(/^\.?\//, '')
  // `{slug}` and dates in the format of Python: `{date:%Y}`.
  const places: Places = { '%Y': ':year', '%m': ':month', '%d': ':day', '%b': ':short_month' }
  const pattern = (programs.text('ARTICLE_URL') ?? '{slug}.html')
    .replace(/\{date:([^{}]*)\}/g, '$1')
    .replace(/%\w|\{slug\}/g, (key) => places[key] ?? ':slug')
  const [, status] =
    programs.match(
      'DEFAULT_METADATA',
      /\bDEFAULT_METADATA\b[^#]{0,999}?\bstatus["']?\]?[ \t]?[:,=][ \t]?["'](\w+)["']/,
    ) ?? []
  const hasFileNames = programs.text('SLUGIFY_SOURCE') === 'basename'
  const isIn = (path: string, key: string, standard: string) => {
    const given = programs.texts(key)
    const folders = given.length === 0 ? [standard] : given
    return folders.some((name = '') => path.startsWith(posix.join(folder, name, '/')))
  }
  const globs = ['IGNORE_FILES', 'ARTICLE_EXCLUDES'].flatMap((key) => programs.texts(key))
  const excluded = excludedBy('IGNORE_FILES', globs)
  const isOwn = programs.match('SLUG_REGEX_SUBSTITUTIONS', /^SLUG(?:_REGEX|IFY_USE)_\w+ ?=/m)
  const nameOf = ({ file, title }: PostHead) => (hasFileNames ? baseName(file) : title)
  // A folder is the category of the posts in it.
  const folderAbove = (path: string) => posix.basename(posix.dirname(posix.relative(folder, path)))
  const hasFolders = programs.match('USE_FOLDER_AS_CATEGORY', /_AS_CATEGORY\s?=\s?False/) === null
  const isPlain = (path: string) =>
    !hasFolders || /^(?:\.|_?(?:posts?|articles?|blog))$/i.test(folderAbove(path))
  const slugOf = (head: PostHead) =>
    textAt(head.values, 'slug') ??
    (isOwn === null ? pythonSlug(nameOf(head).replaceAll('+', '')) : undefined)
  const liquid = createLiquid({
    ...{ tree, templates: context.templates, globals: {}, includes: folder, base: '' },
  })
  const hasTags = programs.match('liquid_tags', /liquid_tags/) !== null
  const hasJinja = programs.match('', /\bjinja2content\b/) !== null
  const pathStatus = /PATH_METADATA[ \t]?=[^=]{0,999}\bstatus\b/
  const hidesPaths = programs.match('EXTRA_PATH_METADATA', pathStatus) !== null
  const readsNoHtml =
    programs.match('READERS', /\bREADERS\b[^#]{0,99}["']html["'][^#]{0,9}None/) !== null
  return folderSite(tree, context, {
    programs,
    markup: /\.(?:md|markdown|mdown|mkd|html?)$/i,
    isContent: (path) => isIn(path, 'ARTICLE_PATHS', '') && !isIn(path, 'PAGE_PATHS', 'pages'),
    isExact: true,
    author: programs.text('AUTHOR'),
    category: programs.text('DEFAULT_CATEGORY'),
    name: programs.text('SITENAME'),
    url: programs.text('SITEURL'),
    statics: [folder],
    dates: { zone: zoneNamed(programs.text('TIMEZONE')) },
    stated: (path) => ({
      withheld:
        excluded(path) ??
        (readsNoHtml && path.endsWith('html') ? '`READERS` excludes HTML' : undefined) ??
        (hidesPaths ? '`PATH_METADATA` may withhold it' : undefined),
      defaults: {
        ...(status && { status }),
        ...(!isPlain(path) && { category: folderAbove(path) }),
      },
    }),
    withholds: ({ save_as: file }) => (file === '' ? '`save_as` is empty' : undefined),
    slug: (head) => slugOf(head) ?? slugify(nameOf(head)),
    address: (head) => {
      const category = textAt(head.values, 'category') ?? programs.text('DEFAULT_CATEGORY')
      const place = pythonSlug(category ?? 'misc') ?? '{category}'
      const named = `/${textAt(head.values, 'url') ?? pattern}`.replace('{category}', place)
      return fillPermalink(named, { ...head, slug: slugOf(head) ?? '{slug}' })
    },
    comments: () => (hasJinja ? 'Jinja' : ''),
    ownKeys: 'template save_as',
    steps: [
      {
        name: 'Liquid → its output',
        // The plugin evaluates only tags: variables are text.
        run: (text, body) => (hasTags ? liquid(text.replace(/\{(?=\{)/g, '\uFDD1'), body) : text),
      },
      ...(hasJinja ? [unreadJinja] : []),
      rule(
        'references to files → paths',
        /(\]\(|(?:src|href)=["'])(?:\{(?:filename|static|attach)\}|\|filename\|)/g,
        '$1',
      ),
      rule('link to a page of Pelican', /(?:\]\(|href=["'])\{(?:tag|category|author|index)\}/g),
      ...pythonSteps(programs, 'MARKDOWN'),
    ],
  })
}

export const nikola: SiteGenerator = (tree, context) => {
  const programs = Programs.in(tree, /(?:^|\/)conf\.py$/, true)
  const lines = /^POSTS\s?=([\s\S]*?)(?:\n(?=[A-Z)])|$(?![\s\S]))/m
  const [, list = ''] = programs.match('POSTS', lines) ?? []
  // regex: tuples on one line, of a list of the site's own configuration
  const tuples = list.matchAll(/\(\s{0,9}["']([^"'\n]+)\/([^"'/\n]+)["'],\s?["']([^"'\n]*)["'],/g)
  const found = Array.from(tuples, ([, folder = '', name = '', target = '']) => {
    return [`${folder}/**/${name}`, target] as const
  })
  const folders = found.length === 0 ? [['posts/**/*', 'posts'] as const] : found
  const [, first] = folders[0] ?? []
  const folderOf = (path: string) => folders.find(([glob]) => matchesTree(path, glob))
  const site = { template: (name: string) => context.templates.get(name) }
  const nameOf = programs.text('FILE_METADATA_REGEXP') === undefined ? baseName : undatedName
  const is = (key: string, value: RegExp) => programs.match(key, value) !== null
  const index = is('STRIP_INDEXES', /^STRIP_INDEXES\s?=\s?False/m) ? '/index.html' : '/'
  const end = is('PRETTY_URLS', /^PRETTY_URLS\s?=\s?False/m) ? '.html' : index
  return folderSite(tree, context, {
    programs,
    isContent: (path) => folderOf(path) !== undefined,
    isExact: true,
    markup: /\.(?:md|markdown|html)$/i,
    // Nikola reads tags with the names of these states, unless its configuration disables that.
    withholds: (values) => tagIn(values, ['draft', 'private']),
    author: programs.text('BLOG_AUTHOR'),
    name: programs.text('BLOG_TITLE'),
    url: programs.text('SITE_URL'),
    statics: ['files', 'images'],
    dates: { zone: zoneNamed(programs.text('TIMEZONE')) },
    address: ({ values, file }) => {
      const slug = textAt(values, 'slug') ?? pythonSlug(nameOf(file)) ?? '{slug}'
      const [glob = '', target = ''] = folderOf(file.path) ?? []
      const below = posix.relative(glob.replace(/\/\*\*.*/, ''), posix.dirname(file.path))
      return `/${posix.join(target, below, slug)}${end}`
    },
    ownKeys: 'type hidetitle nocomments',
    steps: [
      rule('link to a slug → URL', /\blink:\/\/slug\/([\w-]+)/g, `/${first}/$1/`),
      rule('link to a tag → its default URL', /\blink:\/\/tag\/([\w-]+)/g, `/categories/$1${end}`),
      rule('link to a file → its path', /\blink:\/\/filename(\/[^\s()"'<>]+)/g, '$1'),
      rule('link to a page of Nikola', /\blink:\/\/\w+/g),
      // Nikola has the shortcodes of Hugo, in one of its two forms.
      { name: 'shortcodes → Markdown', run: (text, it) => translateShortcodes(text, site, it) },
      ...pythonSteps(programs, 'MARKDOWN_EXTENSIONS'),
    ],
  })
}

export const mkdocs: SiteGenerator = (tree, context) => {
  const config = settingsIn(tree, /(?:^|\/)mkdocs\.ya?ml$/, 'INHERIT')
  const setting = (key: string, value = '') => textAt(config, key) ?? value
  const docs = setting('docs_dir', 'docs')
  const plugin = (name: string) =>
    asList(valueAt(config, 'plugins'))
      .map((item) => (isMap(item) ? valueAt(item, name) : undefined))
      .filter(isMap)
  const [options = {}] = plugin('blog')
  const hasMacros = asList(config['plugins']).includes('macros') || plugin('macros').length > 0
  const extensions = JSON.stringify(config['markdown_extensions'])
  if (extensions?.includes('"auto_append"'))
    tree.report.add('left', 'snippets that `auto_append` adds to each post', 'mkdocs.yml')
  const option = (key: string, value: string) => textAt(options, key) ?? value
  const blog = option('blog_dir', 'blog').replace(/^\.$/, '')
  const folder = posix.join(docs, option('post_dir', '{blog}/posts').replace('{blog}', blog))
  const slugs = 'post_slugify' in options ? JSON.stringify(options['post_slugify'] ?? '') : 'lower'
  const slugOf = ({ values, title }: PostHead) =>
    textAt(values, 'slug') ??
    (slugs.includes('lower') ? pythonSlug(title.replaceAll('+', ''), true) : undefined)
  const date = option('post_url_date_format', 'yyyy/MM/dd')
  const path = option('post_url_format', '{date}/{slug}').replace('{date}', date)
  const end = /^(?:false|no|off)$/i.test(setting('use_directory_urls')) ? '.html' : '/'
  const url = setting('site_url')
  const base = URL.canParse(url) ? trimmedEnd(new URL(url).pathname, '/') : ''
  const parts: Places = { yyyy: ':year', MM: ':month', dd: ':day' }
  const pattern = `/${blog}/${path}${end}`
    .replace(/yyyy|MM|dd/g, (part) => parts[part] ?? part)
    .replace(/\{(slug|file)\}/g, (_, name: string) => `:${name.replace('file', 'filename')}`)
  // Git patterns, one on each line, and the patterns of the plugin `exclude`.
  const lists = plugin('exclude').flatMap(({ glob, regex }) => [glob, regex && { regex }])
  const globs = [config['exclude_docs'], config['draft_docs'], ...lists]
    .flatMap(asList)
    // Other languages have other expressions.
    .flatMap((item) => (isMap(item) ? [undefined] : String(item).split(/\s+/)))
  const excluded = excludedBy('exclude_docs', globs)
  const locks = plugin('encryptcontent')
  const isLocked = (level: unknown) => locks.some((it) => level || 'global_password' in it)
  // The plugin `meta` joins the files of all folders above a post.
  const metaFile = textAt(plugin('meta')[0] ?? {}, 'meta_file') ?? '.meta.yml'
  const metaOf: (folder: string) => Values = remembered((folder) => {
    const above = folder === '.' ? {} : metaOf(posix.dirname(folder))
    return merged(above, readMap(tree, posix.join(folder, metaFile)))
  })
  return folderSite(tree, context, {
    isContent: (path) => path.startsWith(`${folder}/`),
    isExact: true,
    stated: (path) => ({
      withheld: excluded(path),
      defaults: metaOf(posix.dirname(path)),
      merge: merged,
    }),
    withholds: ({ level }) => (isLocked(level) ? '`encryptcontent` encrypts it' : undefined),
    name: setting('site_name') || undefined,
    ...{ url, base, isGuess: () => isMap(config['site_url']) },
    statics: [docs],
    slug: (head) => slugOf(head) ?? slugify(head.title),
    address: (head) => fillPermalink(pattern, { ...head, slug: slugOf(head) ?? '{slug}' }),
    comments: () => (hasMacros ? 'Jinja' : ''),
    ownKeys: 'hide icon template search readtime pin',
    steps: [
      unread('snippet', /^[ \t]*-+8<-+(?=[ \t]+["']|[ \t]*$)/gm, true),
      ...(hasMacros ? [unreadJinja] : []),
      unread('block of slashes', /^[ \t]*\/{3,}[ \t]+[\w-]+(?:[ \t]*\|.*)?$/gm),
      admonitions,
      ...markupSteps(`python ${extensions}`),
    ],
  })
}
