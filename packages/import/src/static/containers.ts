// Containers: between lines of colons, as in Docusaurus, VitePress, Astro and markdown-it, or indented as in MkDocs.
import { maskCode, replaceOutsideCode } from './code-mask.ts'
import type { BodyContext, Step } from './generator.ts'
import { withholdsText } from './unshown.ts'

interface Container {
  readonly indent: string
  readonly name: string
  readonly title: string
  /** The opening line. */
  readonly opening: string
  lines: string[]
}

/** Converts `:::note Title` and the like to alerts; other containers are replaced by their text. */
export function containersToAlerts(
  body: string,
  { changed }: Pick<BodyContext, 'changed'>,
): string {
  if (!body.includes(':::')) return body
  const root: string[] = []
  const open: Container[] = []
  const add = (lines: readonly string[]) => {
    const to = open.at(-1)?.lines ?? root
    for (const line of lines) to.push(line)
  }
  // Lines of code are masked, whatever they look like.
  const masked = maskCode(body).split('\n')
  for (const [index, line] of body.split('\n').entries()) {
    const { before, after } = fenceIn(masked[index] ?? '')
    const last = after === '' ? open.pop() : undefined
    if (last !== undefined) {
      if (before.trim() !== '') last.lines.push(line.slice(0, before.length))
      add(render(last, changed))
    } else if (after) open.push(opened(line, before))
    else add([line])
  }
  for (let last = open.pop(); last !== undefined; last = open.pop()) add(unclosed(last, changed))
  return root.join('\n')
}

/** The texts around three colons or more that begin a line, or end it after a blank. */
function fenceIn(line: string): { readonly before: string; readonly after?: string } {
  const [whole, indent = '', rest = ''] = /^([ \t]*):{3,}([^:].*)?$/.exec(line) ?? []
  if (whole !== undefined) return { before: indent, after: rest.trim() }
  const plain = line.trimEnd().replace(/(?<!:):{3,}$/, '')
  return plain !== line.trimEnd() && /\s$/.test(plain)
    ? { before: plain, after: '' }
    : { before: '' }
}

/** `:::note Title`, `:::note[Title] more`, `:::note{title="Title"}`. */
function opened(opening: string, indent: string): Container {
  const text = opening
    .trim()
    .replace(/^:+/, '')
    .replace(/(?<!:):+$/, '')
    .trim()
  const [, name = '', rest = ''] = /^([\w-]*)([^\w-].*)?$/.exec(text) ?? []
  const [, attribute] = /title=["']([^"']*)["']/.exec(rest) ?? []
  const [labelled = '', label] = /^\s*\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\]/.exec(rest) ?? []
  const words = rest
    .slice(labelled.length)
    .replace(/\{[^{}]*\}/g, '')
    .trim()
  const title = attribute ?? label ?? words
  const lines = title === words || words === '' ? [] : [words, '']
  return { indent, name, title, opening, lines }
}

/** An unclosed alert consists of its first paragraph; another unclosed container is replaced by its text. */
function unclosed(container: Container, changed: BodyContext['changed']): readonly string[] {
  const { name, title, opening, lines } = container
  if (alertType(name) === undefined) return title === '' ? lines : [opening, ...lines]
  const blank = lines.findIndex((line) => line.trim() === '')
  const end = blank === -1 ? lines.length : blank
  return [...render({ ...container, lines: lines.slice(0, end) }, changed), ...lines.slice(end)]
}

function render(
  { name, title, lines, indent }: Container,
  changed: BodyContext['changed'],
): readonly string[] {
  const type = alertType(name)
  if (withholdsText(name)) {
    changed(`container ${name} → left out with its text`)
    return []
  }
  changed(`container ${name} → ${type === undefined ? 'its text' : 'alert'}`)
  if (type !== undefined)
    return ['', ...alert(type, lines.join('\n'), title, indent).split('\n'), '']
  if (name === 'details') {
    const start = ['<details>', `<summary>${title || 'Details'}</summary>`]
    return [...start.map((line) => indent + line), '', ...lines, '', `${indent}</details>`]
  }
  return title === '' ? lines : [`${indent}**${title}**`, '', ...lines]
}

const admonition =
  // regex: runs of a line, each of a bounded length, then whole lines
  /^([ \t]*)(?:!!!|\?\?\?)\+?[ \t]([\w-]+)(?:[ \t]{1,9}[^"\n]{0,200})?(?:"([^"\n]{0,300})")?.*\n((?:(?:\1(?: {4}|\t).*|[ \t]*)(?:\n|$))*)/gm

/** Converts `!!! note "Title"` and `??? note` of Python-Markdown, with an indented text, and removes `{ .class }`. */
export const admonitionsToAlerts: Step['run'] = (body, { changed }) => {
  const plain = replaceOutsideCode(body, /[ \t]?\{[ \t]?[.#]\w[^{}\n]{0,300}\}/g, () => {
    changed('attributes → left out')
    return ''
  })
  return plain.replace(admonition, (_, indent: string, type: string, title = '', text = '') => {
    changed(`admonition ${type} → alert`)
    const lines = text.split('\n').map((line: string) => line.slice(indent.length + 4))
    return `\n${alert(alertType(type) ?? 'NOTE', lines.join('\n'), title, indent)}\n\n`
  })
}

const types: Readonly<Record<string, string>> = {
  NOTE: 'note info notice seealso primary secondary question example quote abstract',
  TIP: 'tip hint success check',
  IMPORTANT: 'important',
  WARNING: 'warning warn attention pitfall',
  CAUTION: 'danger caution error bug failure',
}

/** The alert for a name: `hint` is `TIP`; undefined for other names. */
export function alertType(name: string): string | undefined {
  return Object.keys(types).find((type) => types[type]?.split(' ').includes(name.toLowerCase()))
}

/** Formats an alert. @param indent white space before every line @param title shown in bold if not empty */
export function alert(type: string, text: string, title = '', indent = ''): string {
  const isPlain = title === '' || title.toLowerCase() === type.toLowerCase()
  const head = isPlain ? [`[!${type}]`] : [`[!${type}]`, `**${title}**`, '']
  const lines = [...head, ...withoutIndent(text, indent).replace(/^\n+/, '').trimEnd().split('\n')]
  return lines.map((line) => `${indent}> ${line}`.trimEnd()).join('\n')
}

function withoutIndent(text: string, indent: string): string {
  if (indent === '') return text
  return text
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n')
}
