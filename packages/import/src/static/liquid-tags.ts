// Translates the Liquid tags of Jekyll and Eleventy posts to Markdown and HTML.
import { posix } from 'node:path'
import type { Emitter, Liquid, TagToken, Template, TopLevelToken } from 'liquidjs'
import { linkTo } from './embeds.ts'
import type { BodyContext } from './generator.ts'
import { withholdsText } from './unshown.ts'

/** The state of the current body for tags: bodies are evaluated one at a time. */
export interface TagWork {
  addressOf: BodyContext['addressOf']
  changed: BodyContext['changed']
}

/** The members of the site that tags use. */
export interface TagSite {
  /** The path of a post by its file name without extension: `2024-05-06-title`. */
  findPost(name: string): string | undefined
  /** The URL of a page by its path, if the site has it. */
  pageAddress?(path: string): string | undefined
}

/** Adds a block tag that is replaced by its content, or by nothing if its name withholds. */
export function addTextBlock(engine: Liquid, name: string): void {
  engine.registerTag(name, {
    parse(token: TagToken, remaining: TopLevelToken[]): void {
      const templates: Template[] = []
      const stream = this.liquid.parser
        .parseStream(remaining)
        .on(`tag:end${name}`, () => stream.stop())
        .on('template', (template: Template) => templates.push(template))
        .on('end', () => {
          throw new Error(`tag ${token.getText()} not closed`)
        })
      stream.start()
      this['templates'] = templates
    },
    *render(context, emitter: Emitter): Generator<unknown, void, unknown> {
      const templates = withholdsText(name) ? [] : (this['templates'] as Template[])
      yield this.liquid.renderer.renderTemplates(templates, context, emitter)
    },
  })
}

/** Adds the tags of Jekyll and of plugins that have an equivalent in Markdown. */
export function addTags(engine: Liquid, site: TagSite, work: TagWork): void {
  const known = /\.(?:md|markdown|mkd|html?|textile|adoc)$/i
  const byName = (name: string) => site.findPost(posix.basename(unquoted(name)).replace(known, ''))
  const postUrl = (name: string) => {
    const path = byName(name)
    const address = path === undefined ? undefined : work.addressOf(path)
    if (address === undefined) work.changed(`link to a post that the site does not have: ${name}`)
    return address ?? `/${unquoted(name)}`
  }
  for (const name of ['post_url', 'post_path']) addTag(engine, name, postUrl)
  addTag(engine, 'post_link', (args) => {
    const [name = '', ...title] = args.split(/\s+/)
    return linkTo(postUrl(name), unquoted(title.join(' ')) || name)
  })
  addTag(engine, 'link', (args) => {
    const path = unquoted(args).replace(/^\//, '')
    const address = work.addressOf(path) ?? site.pageAddress?.(path)
    if (address === undefined) work.changed(`link to a file that the site does not have: ${path}`)
    return address ?? `/${path.replace(/^_pages\//, '').replace(known, '')}`
  })
  // Files next to a post of Hexo.
  addTag(engine, 'asset_img', (args) => imageOf(args).replace('src="/', 'src="'))
  addTag(engine, 'asset_path', firstWord)
  addTag(engine, 'asset_link', (args) =>
    linkTo(firstWord(args), args.split(/\s+/).slice(1).join(' ') || firstWord(args)),
  )
  for (const name of ['seo', 'feed_meta', 'toc', 'include_cached_empty'])
    addTag(engine, name, () => {
      work.changed(`Liquid ${name} → nothing`)
      return ''
    })
  addTag(engine, 'gist', (args) => linkTo(`https://gist.github.com/${firstWord(args)}`))
  for (const name of ['youtube', 'youtubeid', 'youtube_embed']) {
    addTag(engine, name, (args) => linkTo(`https://www.youtube.com/watch?v=${firstWord(args)}`))
  }
  addTag(engine, 'vimeo', (args) => linkTo(`https://vimeo.com/${firstWord(args)}`))
  for (const name of ['twitter', 'tweet', 'jsfiddle', 'embed']) {
    addTag(engine, name, (args) => linkTo(firstWord(args)))
  }
  for (const name of ['img', 'image', 'picture']) addImageTag(engine, name)
}

/**
 * True for a tag whose name suggests images and whose arguments name one: `{% image_with_class "a.png" "wide" %}`.
 */
export function isImageTag(name: string, tag: string): boolean {
  const isNamed = /(?:^|_)(?:img|image|picture|figure|photo)(?:_|$)/.test(name)
  return isNamed && /["'][^"']+\.(?:avif|gif|jpe?g|png|svg|webp)["']/i.test(tag)
}

/** Adds a tag that is replaced by the image in its arguments. */
export function addImageTag(engine: Liquid, name: string): void {
  addTag(engine, name, imageOf)
}

/** `"img/a.png", "A text"`, or `class img/a.png 300 "A text"`. */
function imageOf(args: string): string {
  const words = args.match(/"[^"]*"|'[^']*'|[^\s,]+/g) ?? []
  const at = words.findIndex((word) => /[./]/.test(word) && !/\s/.test(word))
  const src = unquoted(words[at] ?? '')
  const texts = words.slice(at + 1).filter((word) => /^["']/.test(word))
  // A class is one word; sizes have units.
  const isSentence = (text: string) => /\s/.test(text) && !/\d(?:px|vw|r?em)\b/.test(text)
  const alt = unquoted(texts.find(isSentence) ?? texts[0] ?? '')
  const path = /^(?:[a-z]+:|[./])/i.test(src) ? src : `/${src}`
  return `<img src="${path}" alt="${alt.replaceAll('"', '&quot;')}">`
}

function firstWord(args: string): string {
  return unquoted(args.split(/\s+/)[0] ?? '')
}

/** Removes surrounding quotes. */
export function unquoted(text: string): string {
  return text.replace(/^["']|["']$/g, '')
}

function addTag(engine: Liquid, name: string, render: (args: string) => string): void {
  engine.registerTag(name, {
    parse(token: TagToken): void {
      this['args'] = token.args.trim()
    },
    render(): string {
      return render(String(this['args']))
    },
  })
}

/**
 * Ruby's Liquid uses the first name that it finds: `{% capture /dev/null %}` is `{% capture dev %}`; `a.[b]` is
 * `a[b]`.
 */
export function withRubyNames(text: string): string {
  // Nunjucks' assignment.
  const assigned = text.replace(/(\{%-?\s{0,9})set(?=\s+\w+\s*=)/g, '$1assign')
  const plain = assigned.replace(/\{[{%][^{}%]*[%}]\}/g, (tag) => tag.replaceAll('.[', '['))
  return plain.replace(/\{%-?\s{0,99}capture\s[^{}%]*%\}/g, (tag) => {
    const [, start, name] = /^(\{%-?\s*capture\s+)[^\w\s"'%-]+([\w-]+)/.exec(tag) ?? []
    return name === undefined ? tag : `${start}${name} ${tag.endsWith('-%}') ? '-%}' : '%}'}`
  })
}
