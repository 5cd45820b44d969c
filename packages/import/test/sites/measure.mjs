// Measures imports of real sites against independent readings, and prints a table in Markdown. Fetches nothing:
//
//   node measure.mjs CHECKOUTS [PROGRAM]
//
// CHECKOUTS has a folder for each entry of sites.json. PROGRAM is the main module of quarry-import, by default that of
// this package. Readings are made by Jekyll, Hugo and Eleventy where they are installed, else by the small reader below, which knows
// front matter and words alone. None of them shares code with the package.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const [checkouts, program = join(here, '../../lib/main.js')] = process.argv.slice(2)
if (checkouts === undefined) throw new Error('Name the folder of the checkouts.')
const sites = JSON.parse(readFileSync(join(here, 'sites.json'), 'utf8'))

const head =
  'site | tool | reading | posts exp/got/drafts | text % | names | tags | images | post links | URLs given/told | dates wrong | report lines | exit | by hand'
function measure([name, tool, posts = '.', folder = '.']) {
  const source = join(checkouts, name, folder)
  const { reader, expected } = readingOf(source, tool, posts)
  const slugs = new Set(expected.flatMap(({ url, path }) => [lastName(url), lastName(path)]))
  const out = mkdtempSync(join(tmpdir(), 'quarry-sites-'))
  try {
    const words = [program, tool, source, '--workspace', 'w', '--content', out]
    const run = spawnSync(process.execPath, words, { cwd: out, encoding: 'utf8' })
    const found = importedPosts(join(out, 'w'))
    const left = new Set(found)
    // A post is found by its URL, else by its title and day, else by its file and day, else by its title and month.
    const pairs = []
    for (const isSame of [isSameUrl, isSameDay, isSameFile, isSameMonth])
      for (const post of expected.filter((open) => !pairs.some(([other]) => other === open))) {
        const match = [...left].find((other) => isSame(post, other))
        if (match !== undefined) pairs.push([post, match])
        left.delete(match)
      }
    const texts = pairs.map(([a, b]) => share(a.text, b.text))
    const count = (list, holds) =>
      list.length === 0 ? '–' : `${list.filter(holds).length}/${list.length}`
    const sum = (has, wanted) => {
      const [got, all] = pairs.reduce(
        ([x, y], [a, b]) => [x + Math.min(has(b), wanted(a)), y + wanted(a)],
        [0, 0],
      )
      return all === 0 ? '–' : `${got}/${all}`
    }
    const located = pairs.filter(([a]) => a.url !== undefined)
    const drafts = pairs.filter(([, b]) => b.isDraft).length
    const text = (100 * texts.reduce((all, part) => all + part, 0)) / texts.length
    // Workspaces have days in UTC.
    const isDated = ([a, b]) => [a.day ?? b.day, a.utc].includes(b.day)
    const wrong = pairs.filter((pair) => !isDated(pair)).length
    const isTold = ([a, b]) => sameUrl(a.url, b.told)
    const needs = [
      run.status !== 0 && `exit ${run.status}`,
      pairs.length < expected.length && `${expected.length - pairs.length} posts`,
      drafts > 0 && `${drafts} drafts`,
      text < 99.5 && 'text',
      !located.every(isTold) && 'URLs',
    ].filter(Boolean)
    return [
      ...[name, tool, reader, `${expected.length}/${pairs.length}/${drafts}`],
      texts.length === 0 ? '–' : text.toFixed(1),
      sum(
        (b) => b.authors.length,
        (a) => a.authors.length,
      ),
      count(
        pairs.filter(([a]) => (a.tags ?? []).length > 0),
        ([a, b]) => a.tags.every((tag) => b.tags.has(letters(tag))),
      ),
      sum(
        (b) => imagesIn(b.text),
        (a) => imagesIn(a.text),
      ),
      sum(
        (b) => (b.text.match(/(?:\]\(|\]: ?|href=")\.\/[^)\s"]+\.md/g) ?? []).length,
        (a) => linksIn(a.text).filter((url) => slugs.has(lastName(url))).length,
      ),
      `${count(located, ([a, b]) => sameUrl(a.url, b.given))}, ${count(located, isTold)}`,
      String(wrong),
      String(run.stdout.trim().split('\n').length),
      String(run.status),
      needs.length === 0 ? 'nothing' : needs.join(', '),
    ]
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** The last name of a path or URL, without extension and date. */
function lastName(path = '') {
  const [plain] = path.split(/[?#]/)
  const name =
    plain
      .replace(/(?:\/(?:index)?)?(?:\.\w+)?$/, '')
      .split('/')
      .at(-1) ?? ''
  return name.replace(/^\d{4}-\d{1,2}-\d{1,2}-/, '').toLowerCase()
}

const codeOf = /^ *(```|~~~)[\s\S]*?^ *\1|`[^`\n]*`/gm
function imagesIn(text) {
  const plain = text.replace(codeOf, '')
  return (plain.match(/!\[[^\]]*\]\(|<img\b[^>]*\ssrc=/g) ?? []).length
}

/** Destinations of links within the site. */
function linksIn(text) {
  const links = text.replace(codeOf, '').matchAll(/(?<!!\[[^\]]*)\]\(([^)\s]+)|href="([^"]+)"/g)
  return Array.from(links, ([, a, b]) => a ?? b).filter((url) => !/^(?:[a-z]+:|#|\/\/)/i.test(url))
}

const isSameUrl = (post, other) => sameUrl(post.url, other.told)
const isNamed = (post, other) => letters(post.title) === letters(other.title)
const isSameDay = (post, other) => isNamed(post, other) && post.day === other.day
const isSameFile = (post, other) =>
  lastName(post.path) === lastName(other.slug) && post.day?.slice(0, 7) === other.day.slice(0, 7)
const isSameMonth = (post, other) =>
  isNamed(post, other) && (post.day ?? other.day).slice(0, 7) === other.day.slice(0, 7)

function sameUrl(a, b) {
  const plain = (url) =>
    decodeURI(url ?? '')
      .replace(/(?:index)?\.html$|\/$/g, '')
      .toLowerCase()
  return a !== undefined && plain(a) === plain(b)
}

function letters(text) {
  return String(text)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replaceAll('#', 'sharp')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** The share of the words of a text that another has. */
function share(text, other) {
  const wanted = wordsOf(text)
  const left = new Map()
  for (const word of wordsOf(other)) left.set(word, (left.get(word) ?? 0) + 1)
  const found = wanted.filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count > 0
  })
  return wanted.length === 0 ? 1 : found.length / wanted.length
}

/** Words of Markdown or HTML, without tags, URLs, templates and comments. */
function wordsOf(text) {
  const plain = text
    .replace(
      /<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}|\{#[\s\S]*?#\}|\{:[^{}]*\}/g,
      ' ',
    )
    .replace(/^(?:import|export) .*$|^:::.*$/gm, ' ')
    .replace(
      /\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+"[^"]*")?\)|^ {0,3}\[[^\]]+\]:.*$|https?:\/\/[^\s)>\]"']+/gm,
      ' ',
    )
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|nbsp|#\d+|#x[\da-f]+);/gi, ' ')
  return plain.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []
}

/** The posts of a workspace, with the URL that `links.post` gives and the one that each post tells. */
function importedPosts(folder) {
  if (!existsSync(join(folder, 'posts'))) return []
  const settings = readFileSync(join(folder, 'workspace.yml'), 'utf8')
  const pattern = /^ {2}post: (?:https?:\/\/[^/]*)?(.*)$/m.exec(settings)?.[1] ?? ''
  return readdirSync(join(folder, 'posts')).map((file) => {
    const { front, body } = split(readFileSync(join(folder, 'posts', file), 'utf8'))
    const date = fieldOf(front, 'publishedAt') ?? ''
    const [year, month, day] = date.slice(0, 10).split('-')
    const slug = fieldOf(front, 'slug') ?? basename(file, '.md')
    const given = pattern.replace(/\{(\w+)\}/g, (_, key) => ({ slug, year, month, day })[key])
    return {
      title: fieldOf(front, 'title') ?? '',
      slug,
      day: date.slice(0, 10),
      tags: new Set([...listOf(front, 'tags'), ...listOf(front, 'category')].map(letters)),
      authors: listOf(front, 'authors'),
      isDraft: /^status: draft$/m.test(front),
      given,
      told: /^url: (.*)$/m.exec(front)?.[1] ?? given,
      text: body,
    }
  })
}

function split(text) {
  const [, front = '', body = text] =
    /^\s*(?:---|\+\+\+)[^\n]*\n([\s\S]*?)\n(?:---|\+\+\+)[^\n]*\n?([\s\S]*)$/.exec(text) ?? []
  if (front !== '') return { front, body }
  // Hexo needs no first fence.
  const [, open, below] =
    /^((?:[a-z_]+:.*\n(?:[ -](?!--).*\n)*)+)---[^\n]*\n([\s\S]*)$/i.exec(text) ?? []
  if (open !== undefined) return { front: open, body: below }
  // Lines of Pelican, and of Nikola in a comment.
  const [, lines, rest] =
    /^(?:<!--\s*)?((?:(?:\.\. )?[A-Za-z]+:.*\n)+)(?:-->)?\n([\s\S]*)$/.exec(text) ?? []
  return { front: (lines ?? '').replace(/^\.\. /gm, ''), body: rest ?? text }
}

function fieldOf(front, key) {
  const [, quote, value] =
    new RegExp(`^${key}[ \\t]*[:=][ \\t]*(["']?)(.+?)\\1[ \\t]*$`, 'im').exec(front) ?? []
  return quote === "'" ? value?.replaceAll("''", "'") : value?.replace(/\\"/g, '"')
}

function listOf(front, key) {
  const [, line = '', below = ''] =
    new RegExp(`^${key}[ \\t]*[:=][ \\t]*([^\\n]*)\\n?((?:[ \\t]*- [^\\n]*\\n?)*)`, 'im').exec(
      front,
    ) ?? []
  const items =
    line === ''
      ? [...below.matchAll(/- (.*)/g)].map(([, item]) => item)
      : line.replace(/^\[|\]$/g, '').split(',')
  return items.map((item) => item.trim().replace(/^["']|["']$/g, '')).filter((item) => item !== '')
}

function authorsIn(front) {
  const all = [...listOf(front, 'authors'), ...listOf(front, 'author')]
  return all.filter((name) => !/^[[{]|: /.test(name))
}

function readingOf(source, tool, posts) {
  const readers = { jekyll: readJekyll, hugo: readHugo, eleventy: readEleventy }
  try {
    const expected = readers[tool]?.(source, posts)
    if (expected?.length > 0) return { reader: tool, expected }
  } catch {}
  return { reader: 'own', expected: readFiles(source, posts) }
}

/** Files with the URLs that Eleventy gives them, where it is installed in the checkout. */
function readEleventy(source, posts) {
  const words = ['node_modules/@11ty/eleventy/cmd.cjs', '--to=json', '--quiet']
  const options = { cwd: source, encoding: 'utf8', maxBuffer: 1 << 28, stdio: 'pipe', timeout: 6e5 }
  const json = execFileSync(process.execPath, words, options)
  const pages = JSON.parse(json.slice(json.indexOf('[')))
  const urls = new Map(pages.map(({ inputPath, url }) => [inputPath.replace(/^\.\//, ''), url]))
  return readFiles(source, posts)
    .filter(({ path }) => urls.has(path))
    .map((post) => ({ ...post, url: urls.get(post.path) }))
}

function readJekyll(source, posts) {
  const script = `
    require 'jekyll'; require 'json'; require 'tmpdir'
    texts = ->(value) { value.is_a?(Symbol) ? ":#{value}" : value.is_a?(Array) ? value.map(&texts) :
      value.is_a?(Hash) ? value.transform_values(&texts) : value }
    plain = ->(text) { texts.call(YAML.safe_load(text, permitted_classes: [Symbol, Date, Time], aliases: true)) }
    Jekyll::Utils.define_method(:safe_load_yaml) { |text| plain.call(text) }
    Jekyll::Utils.define_method(:safe_load_yaml_file) { |file, *_| plain.call(File.read(file)) }
    conf = Jekyll.configuration('source' => ARGV[0], 'destination' => Dir.mktmpdir, 'safe' => true, 'theme' => nil,
      'plugins' => [], 'quiet' => true, 'disable_disk_cache' => true)
    site = Jekyll::Site.new(conf); site.reset; site.read
    puts JSON.generate(site.posts.docs.select(&:published?).map { |post| { title: post.data['title'].to_s,
      url: conf['baseurl'].to_s + post.url, day: post.date.getlocal.strftime('%Y-%m-%d'),
      tags: post.data['tags'] + post.data['categories'], text: post.content, path: post.relative_path,
      authors: [post.data['authors'] || post.data['author']].flatten.compact.map(&:to_s) } })`
  const json = execFileSync('ruby', ['-e', script, source], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: tmpdir(),
  })
  return JSON.parse(json).filter(({ path }) => posts === '.' || path.startsWith(posts))
}

/** Reads `hugo list all`, with the configuration but without themes, modules and layouts. */
function readHugo(source, posts) {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-hugo-'))
  try {
    const isText = (path) => /(?:\/[^./]+|\.(?:md|html?|markdown))$/.test(path)
    cpSync(join(source, 'content'), join(folder, 'content'), { recursive: true, filter: isText })
    const bodies = readdirSync(join(folder, 'content'), { recursive: true })
    for (const path of bodies.filter((name) => /\.\w+$/.test(name))) {
      const file = join(folder, 'content', path)
      const text = readFileSync(file, 'utf8')
      if (text.includes('{{')) writeFileSync(file, text.replace(/\{\{[<%][\s\S]*?[%>]\}\}/g, ''))
    }
    const configs = ['config/_default', 'hugo.toml', 'hugo.yaml', 'config.toml', 'config.yaml']
    for (const name of configs.filter((path) => existsSync(join(source, path))))
      cpSync(join(source, name), join(folder, name), { recursive: true })
    for (const path of readdirSync(folder, { recursive: true }).filter((name) =>
      /(?:toml|ya?ml)$/.test(name),
    ))
      writeFileSync(join(folder, path), withoutThemes(readFileSync(join(folder, path), 'utf8')))
    const options = { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] }
    const csv = execFileSync('hugo', ['list', 'all', '--source', folder], options)
    return hugoPosts(csv, source, posts)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function withoutThemes(text) {
  return (
    text
      .replace(/^(?:theme|enableGitInfo|disableKinds)\s*[:=].*(?:\n[ \t]*-.*)*$/gim, '')
      .replace(/^\s*\[\[?module\.(?:imports|hugoVersion)[^\n]*\n(?:(?!\s*\[)[^\n]*\n)*/gim, '')
      .replace(
        /^(?: {2})?(?:imports|hugoVersion|replacements):[^\n]*\n(?:(?:[ \t-][^\n]*)?\n)*/gim,
        '',
      )
      // An older form of this setting.
      .replace(/^([ \t]*)typographer:\n(?:\1[ \t]+.*\n)+/gim, '')
      .replace(/^[ \t]*defaultContentLanguageInSubdir.*$/gim, (line) =>
        /^\s/.test(line) ? '' : line,
      )
  )
}

/** Columns: path, slug, title, date, expiryDate, publishDate, draft, permalink. */
function hugoPosts(csv, source, posts) {
  const cells = (line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, a, b]) => a?.replaceAll('""', '"') ?? b,
    )
  const rows = csv.slice(csv.indexOf('path,slug')).trim().split('\n').slice(1).map(cells)
  return rows
    .filter(
      ([path, , , date, , , draft]) =>
        // Pages without a date are no posts.
        path.startsWith(`${posts}/`) &&
        !/\/_index\./.test(path) &&
        draft === 'false' &&
        !date.startsWith('0001'),
    )
    .map(([path, , title, date, , , , permalink]) => {
      const { front, body } = split(readFileSync(join(source, path), 'utf8'))
      return {
        title,
        url: new URL(permalink).pathname,
        day: date.slice(0, 10),
        utc: utcIn(date),
        tags: listOf(front, 'tags'),
        authors: authorsIn(front),
        text: body,
        path,
      }
    })
}

/** The day in a date as YAML has it: 29 February of a common year is 1 March. */
function dayIn(text = '') {
  const [year, month, day] = /\d{4}-\d{1,2}-\d{1,2}/.exec(text)?.[0].split('-') ?? []
  if (day) return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
  // `6 May 2024`
  const time = /[a-z]{3}.* \d{4}\b/i.test(text) ? Date.parse(`${text} UTC`) : Number.NaN
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10)
}

/** The day in UTC of a date with a time and an offset. */
function utcIn(text = '') {
  const [, date, time, offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)[.\d]* ?([+-]\d\d:?\d\d)$/.exec(text) ?? []
  const at = date && new Date(`${date}T${time}${offset.replace(/:?(?=\d\d$)/, ':')}`)
  return at?.toISOString().slice(0, 10)
}

function readFiles(source, posts) {
  return readdirSync(join(source, posts), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /(?<!\.[a-z]{2}(?:-[A-Z]{2})?)\.(?:md|mdx|markdown|html|njk)$/.test(entry.name),
    )
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .flatMap((path) => {
      const { front, body } = split(readFileSync(join(source, path), 'utf8'))
      const keys = ['date', 'created', 'created_at', 'pubDate', 'publishDate']
      const stated = keys.map((key) => fieldOf(front, key)).find((text) => dayIn(text))
      const date =
        dayIn(stated) ??
        /\d{4}[-/]\d{2}[-/]\d{2}/.exec(fieldOf(front, 'path') ?? path)?.[0].replaceAll('/', '-')
      // Sites show archived posts in no list, like unlisted ones.
      const isHidden =
        /^(?:draft|unlisted|archived)[ \t]*[:=][ \t]*true|^(?:published|permalink|render)[ \t]*[:=][ \t]*false|^status[ \t]*:[ \t]*draft/im.test(
          front,
        )
      const title = fieldOf(front, 'title') ?? /^# (.*)$/m.exec(body)?.[1] ?? lastName(path)
      if (date === undefined || isHidden || front === '') return []
      const authors = authorsIn(front)
      const [utc, tags] = [utcIn(stated), listOf(front, 'tags')]
      return [{ title, day: date, utc, tags, authors, text: body, path }]
    })
}

process.stdout.write(`| ${head} |\n|${'---|'.repeat(head.split('|').length)}\n`)
for (const site of sites.filter(([name]) => existsSync(join(checkouts, name))))
  process.stdout.write(`| ${measure(site).join(' | ')} |\n`)
