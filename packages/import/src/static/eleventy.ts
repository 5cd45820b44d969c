// Eleventy: templates in Liquid, Nunjucks, HTML and Markdown, and data files of templates and folders.
import { posix } from 'node:path'
import { remembered, trimmedEnd } from '../parts.ts'
import type { PostHead, SiteGenerator, StaticSite } from '../site.ts'
import { markupSteps } from './dialects.ts'
import { pluginNames, unread } from './extensions.ts'
import { dataOfProgram, merged, readSource, textAt, textsOf, type Values } from './front.ts'
import { Computed, createLiquid, type LiquidTranslator, liquidData } from './liquid.ts'
import { judge, mayWithhold } from './post-head.ts'
import { Programs } from './settings.ts'
import { excludedBy, leftBy, matchesTree, readMap, type SourceTree } from './source-tree.ts'
import { containers, folderSite } from './tools.ts'

export const eleventy: SiteGenerator = (tree, context): StaticSite => {
  const programs = Programs.in(tree, /(?:^|\/)(?:\.eleventy|eleventy\.config)\.\w+$/, true)
  const modules = Programs.in(tree, /(?:^|\/)package\.json$/)
  const folder = (key: string, text = programs.text(key)) => text?.replace(/^\.\/?|\/$/g, '')
  const [called] = programs.texts('setInputDirectory')
  const parent = folder('input', called) ?? (tree.below('src').length > 0 ? 'src' : '')
  const root = (path: string) => (parent === '' ? path : posix.relative(parent, path))
  const base = trimmedEnd(programs.text('pathPrefix', '/') ?? '', '/')
  const has = (key: string, expression: RegExp) => programs.match(key, expression) !== null
  const dataFolder = posix.join(parent, folder('data') ?? '_data')
  const stated = liquidData(tree, dataFolder) as Values
  // Links begin at the root unless a file states the URL of the site.
  const own = Object(stated['site'] ?? {})
  const site = Object.assign(own, { url: '', baseurl: '', baseUrl: '', ...own })
  const eleventy = { env: { runMode: 'build', source: 'cli' } }
  const computed = programs.match('', /(?<=\.addGlobalData\(\s{0,9}["'`])\w+/g) ?? []
  const globals = Object.fromEntries(computed.map((name) => [name, new Computed(name)]))
  Object.defineProperties(stated, Object.getOwnPropertyDescriptors({ ...globals, site, eleventy }))
  const shared = {
    ...{ tree, templates: context.templates, globals: stated },
    ...{ includes: posix.join(parent, folder('includes') ?? '_includes'), base },
    tool: 'eleventy' as const,
    ...{ hasJekyllIncludes: has('jekyllInclude', /jekyllInclude:\s*true/) },
  }
  const liquid = createLiquid(shared)
  const njk = createLiquid({ ...shared, isNunjucks: true })
  const translators: Readonly<Record<string, LiquidTranslator>> = { liquid, njk }
  const engineOf = templateEngines(programs)
  const usesGit = !has('setUseGitIgnore', /setUseGitIgnore\(\s{0,9}false/)
  const excluded = excludedBy('ignores', programs.texts('ignores'), '')
  const formats = ['templateFormats', 'setTemplateFormats'].flatMap((key) => programs.texts(key))
  const ends = formats.flatMap((names = '') => names.split(',')).map((end) => `*.${end}`)
  const notNamed = leftBy('templateFormats', ends)
  const ignoring = usesGit ? ['.eleventyignore', '.gitignore'] : ['.eleventyignore']
  const dataOf = directoryData(tree, programs, ignoring, dataFolder)
  const layouts = posix.join(parent, folder('layouts') ?? folder('includes') ?? '_includes')
  const layoutOf = layoutData(tree, layouts)
  const withLayout = (under: Values, over: Values) => {
    const data = merged(under, over)
    return merged(layoutOf(textAt(data, 'layout') ?? ''), data)
  }
  return folderSite(tree, context, {
    ...{ programs, base, addsBase: has('HtmlBasePlugin', /HtmlBasePlugin\b/) },
    url: textAt(stated, 'site.url', 'metadata.url', 'meta.url'),
    isContent: (path) =>
      (parent === '' || path.startsWith(`${parent}/`)) &&
      !/(?:^|\/)_(?:includes|data|components|layouts)\//.test(path),
    markup: /\.(?:md|markdown|html|njk|liquid|webc)$/i,
    parent,
    stated: (path) => {
      const { withheld, defaults } = dataOf(path)
      return { withheld: excluded(path) ?? withheld ?? notNamed(path), defaults, merge: withLayout }
    },
    withholds: hidingKeys(programs),
    isGuess: ({ withheld }) => withheld?.includes('permalink`') ?? false,
    address: (head) => addressOf(head, root(head.file.path), translators[engineOf(head)] ?? liquid),
    comments: (head) => ({ njk: 'Jinja', liquid: 'Liquid' })[engineOf(head)] ?? 'Handlebars',
    ownKeys:
      'permalink pagination eleventyComputed eleventyExcludeFromCollections templateEngineOverride eleventyNavigation',
    steps: [
      {
        name: 'WebC',
        run: (text, body) =>
          engineOf(body.head) === 'webc' || /renderTemplate\s{1,9}["']webc/.test(text)
            ? unreadWebc.run(text, body)
            : text,
      },
      {
        name: 'Liquid → its output',
        run: (text, body) => translators[engineOf(body.head)]?.(text, body) ?? text,
      },
      containers,
      ...markupSteps(`markdown-it ${[programs, modules].map((it) => it.match('', pluginNames))}`),
    ],
  })
}

/**
 * Creates a test of the data of a template by the programs of the configuration that may withhold posts: preprocessors,
 * and global data for such a key. They may withhold any post unless they only ask whether a post has a key.
 */
function hidingKeys(programs: Programs): (data: Values) => string | undefined {
  const added =
    /\.addPreprocessor\([\s\S]{0,500}?return false|\.addGlobalData\((?:(?!\.add[A-Z])[\s\S]){0,5000}/g
  const rules = (programs.match('addPreprocessor', added) ?? []).flatMap((text) => {
    const [, kind, name = ''] = /\.add(\w+)\(\s{0,9}["'`]?([\w.]*)/.exec(text) ?? []
    const isGlobal = kind === 'GlobalData'
    if (isGlobal && !mayWithhold(name)) return []
    const code = isGlobal ? text : text.slice(text.lastIndexOf('if'))
    const reads = Array.from(code.matchAll(/(!?)\bdata\.(?!permalink\b)(\w+)(\s?!=|\.|\[)?/g))
    const isOpen =
      reads.length === 0 ||
      reads.some(([, not, , sign]) => not !== '' || sign !== undefined) ||
      /\b(?!function|async)\w+\(\s?data\s?[,)]/.test(code)
    const keys = isOpen ? undefined : reads.map(([, , key = '']) => key)
    return [{ what: isGlobal ? `\`${name}\`` : 'a preprocessor', keys }]
  })
  const has = (data: Values) => (key: string) => !/^(?:false|no|)$/.test(textAt(data, key) ?? '')
  return (data) => {
    const rule = rules.find(({ keys }) => keys === undefined || keys.some(has(data)))
    const key = rule?.keys?.find(has(data))
    const does = key ? `may withhold posts with \`${key}\`` : 'is a program that may withhold it'
    return rule && `${rule.what} of the configuration ${does}`
  }
}

/** Creates a reader of the engine that evaluates a file: `liquid`, `njk`, `webc` or another; `''` for none. */
function templateEngines(programs: Programs): ({ file, values }: PostHead) => string {
  const engineFor = (kind: string) => {
    const setting = new RegExp(`\\b${kind}TemplateEngine["']?\\s{0,9}:\\s{0,9}(?:["'](\\w+)|false)`)
    const [found, name] = programs.match(`${kind}TemplateEngine`, setting) ?? []
    return found === undefined ? 'liquid' : (name ?? '')
  }
  const engines: Readonly<Record<string, string>> = {
    ...{ njk: 'njk', liquid: 'liquid', webc: 'webc', html: engineFor('html') },
  }
  const markdown = engineFor('markdown')
  return ({ file, values }) => {
    const stated = textAt(values, 'templateEngineOverride')?.split(',')
    const own = engines[posix.extname(file.path).slice(1).toLowerCase()] ?? markdown
    return stated === undefined ? own : (stated.find((name) => !/^(?:md|html)$/.test(name)) ?? '')
  }
}

/** Markup that only WebC can show: components, and attributes that are programs. */
const unreadWebc = unread('WebC', /<[a-z]\w*-[\w-]*|<\w[^<>]{0,999}\s(?:[:@.]|webc:)[^<>]{0,999}>/g)

/** Returns the URL from `permalink`, also from a template; undefined if only a program can compute it. */
function addressOf(head: PostHead, path: string, liquid: LiquidTranslator): string | undefined {
  const keys = 'eleventyComputed.permalink permalink.build permalink'.split(' ')
  const stated = textAt(head.values, ...keys)
  if (stated === undefined || /^(?:true|false)$/.test(stated))
    return `/${path.replace(/\.\w+$/, '').replace(/(^|\/)([^/]+)\/(?:\2|index)$/, '$1$2')}/`
  const failures: string[] = []
  const unknown = (message: string) => void failures.push(message)
  const none = () => undefined
  const context = { head, unknown, changed: none, stays: none, addressOf: none }
  const text = liquid(stated, context).trim()
  const made = text.replace(/index\.html$/, '')
  if (failures.length > 0 || /[{}]/.test(made)) return undefined
  return made.startsWith('/') ? made : `/${made}`
}

/** Creates a reader of the keys of layouts that decide about URLs, tags and publication; other keys are for the page. */
function layoutData(tree: SourceTree, folder: string): (name: string) => Values {
  const valuesOf = (name: string, below: readonly string[] = []): Values => {
    const path = ['', '.njk', '.liquid', '.html', '.md', '.webc']
      .map((end) => posix.join(folder, name + end))
      .find((file) => tree.has(file) && !below.includes(file))
    if (path === undefined) return {}
    const { layout, ...values } = readSource(tree, path)?.values ?? {}
    const own = Object.entries(values).filter(
      ([key, value]) => /^(?:permalink|tags)$/.test(key) || judge(key, value) === 'hidden',
    )
    const above = typeof layout === 'string' ? valuesOf(layout, [...below, path]) : {}
    return merged(above, Object.fromEntries(own))
  }
  return remembered((name) => valuesOf(name))
}

/** Creates a reader of data files and of `.eleventyignore` for a template; each file is read once. */
function directoryData(
  tree: SourceTree,
  programs: Programs,
  ignoring: readonly string[],
  dataFolder: string,
) {
  const given = programs.texts('setDataFileSuffixes').flatMap((suffix) => suffix ?? [])
  const suffixes = given.length === 0 ? ['.11tydata'] : given
  const suffixed = (end: string) => suffixes.map((suffix) => suffix + end)
  const added = programs.texts('addDataExtension').flatMap((names = '') => names.split(','))
  const plain = [...added.map((end) => `.${end}`), '.json', ...suffixed('.json')]
  const [baseName] = programs.texts('setDataFileBaseName')
  const read = remembered((base) => readData(tree, base, plain, programEnds.flatMap(suffixed)))
  const global = readData(tree, posix.join(dataFolder, 'eleventyComputed'), ['.json'], programEnds)
  const isEmpty = Object.keys(global.values).length === 0
  const start = isEmpty ? {} : { eleventyComputed: global.values }
  const lists = ignoring.map((name) => ({ name, names: ignored(tree, name) }))
  return (path: string) => {
    const folders = path.split('/').slice(0, -1)
    const bases = [
      ...folders.map((name, index) => posix.join(...folders.slice(0, index + 1), baseName ?? name)),
      path.replace(/\.\w+$/, ''),
    ]
    const found = bases.map(read)
    const program = [global, ...found].find((data) => data.program !== undefined)?.program
    const list = lists.find(({ names }) => names(path))
    const withheld = list === undefined ? program : `\`${list.name}\` excludes it`
    const defaults = found.reduce<Values>((all, { values }) => merged(all, values), start)
    return { withheld, defaults }
  }
}

const programEnds = ['.js', '.cjs', '.mjs', '.ts']

/** Reads the data of a template or a folder. @param base path without extension: `posts/posts` for the folder `posts` */
function readData(
  tree: SourceTree,
  base: string,
  ends: readonly string[],
  programs: readonly string[],
) {
  const maps = ends.map((end) => readMap(tree, base + end))
  const stated = maps.reduce((all, map) => merged(all, map), {})
  const path = programs.map((end) => base + end).find((name) => tree.has(name))
  if (path === undefined) return { values: stated, program: undefined }
  const code = tree.data(path) ?? ''
  const data = dataOfProgram(code)
  if (data === undefined) tree.report.add('left', 'data file that is a program: not run', path)
  for (const { key, line } of data?.computed ?? [])
    tree.report.add('left', `\`${key}\` of a data file is computed: not read`, `${path}:${line}`)
  // `…` stands for the keys of another object; further keys are added after the export.
  const added = code.match(/(?<=\bexports\.)\w+(?=\s?=)/g) ?? []
  const unread = data ? [...data.computed.map(({ key }) => key), ...added] : code.match(/\w+/g)
  const program = unread?.some(mayWithhold)
    ? `\`${path}\` is a program that may withhold it`
    : undefined
  return { values: merged(stated, textsOf(data)), program }
}

/** Matches templates that files such as `.eleventyignore` name, in the syntax of `.gitignore`. */
function ignored(tree: SourceTree, name: string): (path: string) => boolean {
  const files = tree.files.filter((path) => posix.basename(path) === name)
  const rules = files.flatMap((file) =>
    (tree.data(file) ?? '').split('\n').flatMap((line) => {
      const [, not, glob = ''] = /^(!?)(?:\.?\/)?(.*)$/.exec(line.trim()) ?? []
      const folder = posix.dirname(file) === '.' ? '' : `${posix.dirname(file)}/`
      const anywhere = glob.replace(/\/$/, '').includes('/') || line.startsWith('/') ? '' : '**/'
      if (glob === '' || glob.startsWith('#')) return []
      return [{ isIgnored: not === '', glob: folder + anywhere + glob.replace(/\/$/, '') }]
    }),
  )
  return (path) => rules.findLast(({ glob }) => matchesTree(path, glob))?.isIgnored ?? false
}
