// Pelican, Nikola and the blog of Material for MkDocs: Markdown with metadata, and configurations of Python and YAML.
import { posix } from 'node:path'
import { slugify } from 'quarry/authoring'
import { alert, alertType } from './alerts.ts'
import { replaceOutsideCode } from './code-mask.ts'
import { assigned, configPrograms } from './config.ts'
import { folderSite, type Layout } from './folder-sites.ts'
import { textAt } from './front.ts'
import type { PostHead, SiteGenerator, Step } from './generator.ts'
import { withoutKramdown } from './kramdown.ts'
import { zoneNamed } from './moments.ts'
import { undatedName } from './post-head.ts'

const attributes: Step = { name: 'attributes', run: withoutKramdown }

export const pelican: SiteGenerator = (tree, context) => {
  const config = /(?:^|\/)(?:pelicanconf|publishconf)\.py$/
  const program = configPrograms(tree, config).join('\n')
  const folder = (assigned(program, 'PATH') ?? 'content').replace(/^\.?\//, '')
  const url = assigned(program, 'ARTICLE_URL') ?? '{slug}.html'
  const defaults = program.split(/\bDEFAULT_METADATA[ \t]?=/, 2)[1]?.split(/[)}\]]/, 1)[0]
  const status = /["']status["'][ \t]?[:,][ \t]?["'](\w+)["']/.exec(defaults ?? '')?.[1]
  const bySource = assigned(program, 'SLUGIFY_SOURCE')
  const slugOf = ({ values, file, title }: PostHead) =>
    textAt(values, 'slug') ?? slugify(bySource === 'basename' ? undatedName(file.path) : title)
  const site = folderSite(tree, context, {
    ...layout(config, (path) => folder === '.' || path.startsWith(`${folder}/`)),
    name: assigned(program, 'SITENAME'),
    url: assigned(program, 'SITEURL'),
    statics: [folder],
    dates: { zone: zoneNamed(assigned(program, 'TIMEZONE')) },
    ...(status === undefined ? {} : { stated: () => ({ defaults: { status } }) }),
    address: (head) => `/${urlOf(url, head, slugOf(head))}`,
    ownKeys: 'template save_as',
    steps: [
      {
        name: 'references to files',
        run: (text) =>
          text
            .replace(/(\]\(|(?:src|href)=["'])\{(?:filename|static|attach)\}/g, '$1')
            .replace(/(\]\(|(?:src|href)=["'])\|filename\|/g, '$1'),
      },
      attributes,
    ],
  })
  // A folder is the category of the posts in it.
  const posts = site.posts.map((file) => {
    const [category, ...others] = posix.relative(folder, file.path).split('/')
    return category === undefined ||
      others.length === 0 ||
      /^_?(?:posts?|articles?|blog)$/i.test(category)
      ? file
      : { ...file, categories: [category] }
  })
  return { ...site, posts, slug: slugOf }
}

/** `{slug}` and dates in the format of Python: `{date:%Y}`. */
function urlOf(pattern: string, { day }: PostHead, slug: string): string {
  const [year = '', month = '', dayOfMonth = ''] = day.split('-')
  const name = new Date(`${day}T00:00:00Z`).toLocaleString('en', { month: 'long', timeZone: 'UTC' })
  const parts: Readonly<Record<string, string>> = {
    Y: year,
    m: month,
    d: dayOfMonth,
    b: name.slice(0, 3),
    B: name,
  }
  return pattern
    .replace(/\{date:([^{}]*)\}/g, (_, format: string) =>
      format.replace(/%(\w)/g, (all, key: string) => parts[key] ?? all),
    )
    .replaceAll('{slug}', slug)
    .replace(/^\//, '')
}

export const nikola: SiteGenerator = (tree, context) => {
  const config = /(?:^|\/)conf\.py$/
  const program = configPrograms(tree, config).join('\n')
  // regex: a tuple on one line
  const patterns = [
    ...program.matchAll(/^\s{0,20}\(["']([^"'\n]+?)\/\*\.(?:md|html)["'],\s?["']([^"'\n]*)["'],/gm),
  ]
  const [, source = 'posts', target = 'posts'] = patterns[0] ?? []
  return folderSite(tree, context, {
    ...layout(config, (path) => path.startsWith(`${source}/`)),
    markup: /\.(?:md|markdown|html)$/i,
    name: assigned(program, 'BLOG_TITLE'),
    url: assigned(program, 'SITE_URL'),
    statics: ['files', 'images'],
    dates: { zone: zoneNamed(assigned(program, 'TIMEZONE')) },
    address: ({ values, file }) =>
      `/${posix.join(target, textAt(values, 'slug') ?? undatedName(file.path))}/`,
    ownKeys: 'type hidetitle nocomments',
    steps: [attributes],
  })
}

export const mkdocs: SiteGenerator = (tree, context) => {
  const config = /(?:^|\/)mkdocs\.ya?ml$/
  const text = configPrograms(tree, config).join('\n')
  const setting = (key: string) =>
    // regex: a constant key at the start of a line
    new RegExp(`^[ \\t]{0,40}${key}:[ \\t]{0,9}["']?([^"'\\n#]+?)["']?[ \\t]{0,9}$`, 'm').exec(
      text,
    )?.[1]
  const docs = setting('docs_dir') ?? 'docs'
  const blog = setting('blog_dir')?.replace(/^\.$/, '') ?? 'blog'
  const folder = posix.join(
    docs,
    setting('post_dir')?.replace('{blog}', blog) ?? posix.join(blog, 'posts'),
  )
  const format = setting('post_url_format') ?? '{date}/{slug}'
  const dates = (setting('post_url_date_format') ?? 'yyyy/MM/dd')
    .replace(/yyyy/, ':year')
    .replace(/MM/, ':month')
    .replace(/dd/, ':day')
  const slugOf = ({ values, title }: PostHead) => textAt(values, 'slug') ?? slugify(title)
  const site = folderSite(tree, context, {
    ...layout(config, (path) => path.startsWith(`${folder}/`)),
    name: setting('site_name'),
    url: setting('site_url'),
    statics: [docs],
    address: (head) => {
      const [year = '', month = '', day = ''] = head.day.split('-')
      const date = dates.replace(':year', year).replace(':month', month).replace(':day', day)
      const path = format
        .replace('{date}', date)
        .replace('{slug}', slugOf(head))
        .replace('{file}', undatedName(head.file.path))
      return `/${posix.join(blog, path)}/`
    },
    ownKeys: 'hide icon template search readtime links pin',
    steps: [
      { name: 'admonitions', run: admonitionsToAlerts },
      {
        name: 'attributes',
        run: (body, body_) =>
          withoutKramdown(
            replaceOutsideCode(body, /[ \t]?\{[ \t]?[.#]\w[^{}\n]{0,300}\}/g, () => ''),
            body_,
          ),
      },
    ],
  })
  return { ...site, slug: slugOf }
}

/** What these tools share. */
function layout(
  config: RegExp,
  isContent: (path: string) => boolean,
): Omit<Layout, 'statics' | 'steps'> {
  return { config, isContent, root: (path) => path }
}

/** `!!! note "Title"` and `??? note` with an indented text. */
const admonitionsToAlerts: Step['run'] = (body, { changed }) => {
  if (!/^[ \t]*(?:!!!|\?\?\?)/m.test(body)) return body
  const lines: string[] = []
  let open:
    | {
        readonly indent: string
        readonly type: string
        readonly title: string
        readonly text: string[]
      }
    | undefined
  const close = () => {
    if (open === undefined) return
    lines.push(
      '',
      ...alert(alertType(open.type) ?? 'NOTE', open.text.join('\n'), open.title, open.indent).split(
        '\n',
      ),
      '',
    )
    changed(`admonition ${open.type} → alert`)
    open = undefined
  }
  for (const line of body.split('\n')) {
    if (open !== undefined && (line.trim() === '' || line.startsWith(`${open.indent}    `))) {
      open.text.push(line.slice(open.indent.length + 4))
      continue
    }
    close()
    const [, indent = '', type, rest = ''] =
      /^([ \t]*)(?:!!!|\?\?\?)\+?[ \t]([\w-]+)(?:[ \t](.*))?$/.exec(line) ?? []
    const title = /"([^"\n]*)"/.exec(rest)?.[1] ?? ''
    if (type === undefined) lines.push(line)
    else open = { indent, type, title, text: [] }
  }
  close()
  return lines.join('\n')
}
