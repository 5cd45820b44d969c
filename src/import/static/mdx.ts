// Resolves what components of MDX show, as far as it is written in their attributes: images, players, labels.
import { alert, alertType } from './alerts.ts'
import { replaceOutsideCode } from './code-mask.ts'
import { linkTo } from './embeds.ts'
import type { BodyContext } from './generator.ts'

/** True for a body with components, imports or comments of MDX. */
export function usesMdx(body: string): boolean {
  if (!/<[A-Z]|\{\/\*|^import\s/m.test(body)) return false
  let found = false
  const note = (): string => {
    found = true
    return ''
  }
  replaceOutsideCode(body, /^import\s.+\sfrom\s+['"]|<[A-Z][\w.]*[\s/>]|\{\/\*/gm, note)
  return found
}

/** Components that show an image or a player become HTML; their labels become text. Others are left to the renderer. */
export function componentsToHtml(body: string, { changed }: Pick<BodyContext, 'changed'>): string {
  const files = importedFiles(body)
  let text = replaceOutsideCode(
    body,
    headingComment,
    ([, heading = '', id = '']) => `${heading} {#${id}}`,
  )
  text = replaceOutsideCode(text, requireCall, ([, name = '', path = '']) => `${name}="${path}"`)
  text = replaceOutsideCode(text, variable, ([all = '', name = '', value = '']) => {
    const path = files.get(value)
    return path === undefined ? all : `${name}="${path}"`
  })
  text = replaceOutsideCode(text, markdownVariable, ([all = '', start = '', value = '']) => {
    const path = files.get(value)
    return path === undefined ? all : `${start}${path}`
  })
  text = replaceOutsideCode(text, blank, () => ' ')
  text = replaceOutsideCode(text, notice, (match) => noticeToAlert(match))
  return replaceOutsideCode(
    text,
    component,
    ([all = '', name = '', attributes = '', slash = '']) => {
      const made = translate(name, attributes, slash === '/')
      if (made === undefined) return all
      changed(`component ${name} → HTML`)
      return made
    },
  )
}

/** Images and other files that a body imports, by name. */
function importedFiles(body: string): ReadonlyMap<string, string> {
  const found = body.matchAll(
    /^import\s+([\w$]+)\s+from\s+['"]([^'"\n]+\.\w{2,5})(?:\?[^'"]*)?['"]/gm,
  )
  return new Map([...found].map(([, name = '', path = '']) => [name, path]))
}

const headingComment = /^(#{1,6} [^\n]*?)[ \t]*\{\/\*[ \t]*([\w.-]+)[ \t]*\*\/\}[ \t]*$/gm
const requireCall =
  /\b([\w-]+)=\{\s*(?:require|useBaseUrl)\(\s*['"]([^'"\n]+)['"]\s*\)(?:\.default)?\s*\}/g
const variable = /\b([\w-]+)=\{\s*([\w$]+)(?:\.src)?\s*\}/g
/** `![alt]({image})`, which some sites write. */
const markdownVariable = /(\]\()\{\s*([\w$]+)(?:\.src)?\s*\}/g
const blank = /\{\s*['"]\s*['"]\s*\}/g
const notice = /^([ \t]*)<(\w+)([^<>\n]*)>[ \t]*\n([\s\S]{0,20000}?)\n[ \t]*<\/\2>[ \t]*$/gm
const component =
  /<([A-Z][\w.]*)((?:\s+[\w:-]+(?:=(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}))?){0,60})\s*(\/?)>/g

function noticeToAlert([
  all = '',
  indent = '',
  name = '',
  attributes = '',
  text = '',
]: readonly string[]): string {
  const byName = /^[A-Z]/.test(name) ? name : ''
  const isGeneric = ['Aside', 'Admonition', 'Callout', 'Alert', 'AlertBox'].includes(byName)
  const wish = isGeneric
    ? (attributeOf(attributes, 'type') ?? attributeOf(attributes, 'level') ?? 'note')
    : byName
  const type = alertType(wish)
  if (type === undefined || text.includes(`<${name}`)) return all
  return `\n${alert(type, dedented(text, indent), attributeOf(attributes, 'title') ?? '', indent)}\n`
}

function dedented(text: string, indent: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const shared = Math.min(...lines.map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0))
  const cut = Number.isFinite(shared) ? shared : 0
  return text
    .split('\n')
    .map((line) => indent + line.slice(Math.min(cut, line.length)))
    .join('\n')
}

function translate(name: string, attributes: string, isEmpty: boolean): string | undefined {
  const get = (key: string) => attributeOf(attributes, key)
  const source = get('src') ?? get('image') ?? get('href') ?? get('url')
  const player = playerOf(
    name,
    get('id') ?? get('videoId') ?? get('youTubeId') ?? get('tweetId'),
    source,
  )
  if (player !== undefined) return linkTo(player)
  const label = get('title') ?? get('label') ?? get('summary') ?? get('caption') ?? get('header')
  const text = label === undefined ? '' : `<p><strong>${label}</strong></p>`
  const image =
    source !== undefined && isImage(source)
      ? `<img src="${source}" alt="${get('alt') ?? label ?? ''}">`
      : ''
  const shown =
    image === '' ? text : image + (get('caption') === undefined ? '' : `<p>${get('caption')}</p>`)
  if (shown === '') return undefined
  return isEmpty ? shown : `<${name}>${shown}`
}

function attributeOf(attributes: string, name: string): string | undefined {
  const [, double, single, braced] =
    new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)'|\\{\\s*["'\`]([^"'\`{}$]*)["'\`]\\s*\\})`).exec(
      attributes,
    ) ?? []
  return double ?? single ?? braced
}

function isImage(url: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif|svg)(?:[?#].*)?$/i.test(url)
}

function playerOf(
  name: string,
  id: string | undefined,
  source: string | undefined,
): string | undefined {
  if (/youtube|^yt$/i.test(name)) {
    const url = id ?? source
    if (url === undefined) return undefined
    const video = /(?:embed\/|v=|youtu\.be\/)([\w-]+)/.exec(url)?.[1]
    return `https://www.youtube.com/watch?v=${video ?? url}`
  }
  if (/vimeo/i.test(name) && id !== undefined) return `https://vimeo.com/${id}`
  if (/^(?:tweet|twitter)/i.test(name) && id !== undefined)
    return /^\d+$/.test(id) ? `https://twitter.com/i/status/${id}` : id
  return /^(?:video|audio|iframe|codesandbox|stackblitz|codepen|linkcard|link)$/i.test(name)
    ? source
    : undefined
}
