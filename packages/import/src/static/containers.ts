// Containers delimited by lines of colons, as in Docusaurus, VitePress, Astro and markdown-it.
import { trimmedEnd } from '../parts.ts'
import { alert, alertType } from './alerts.ts'
import { maskCode } from './code-mask.ts'
import type { BodyContext } from './generator.ts'
import { withholdsText } from './unshown.ts'

/** Converts `:::note Title` and the like to alerts; other containers are replaced by their text. */
export function containersToAlerts(
  body: string,
  { changed }: Pick<BodyContext, 'changed'>,
): string {
  if (!body.includes(':::')) return body
  const reader = new ContainerReader(changed)
  // Lines of code are masked, whatever they look like.
  const masked = maskCode(body).split('\n')
  for (const [index, line] of body.split('\n').entries()) reader.read(line, masked[index] ?? '')
  return reader.end()
}

class ContainerReader {
  readonly #changed: BodyContext['changed']
  readonly #root: string[] = []
  readonly #open: Container[] = []

  constructor(changed: BodyContext['changed']) {
    this.#changed = changed
  }

  read(line: string, masked: string): void {
    const fence = fenceOf(masked)
    const { text, rest } = fence ?? { text: '', rest: '' }
    const isFence = fence !== undefined
    if (isFence && rest.trim() === '' && this.#open.length > 0)
      this.#close(line.slice(0, text.length))
    else if (isFence && rest.trim() !== '' && text.trim() === '')
      this.#open.push({ indent: text, ...nameOf(line), opening: line })
    else this.#add([line])
  }

  /**
   * Returns the whole text. An unclosed alert consists of its first paragraph; an unclosed container is replaced by
   * its text.
   */
  end(): string {
    for (;;) {
      const container = this.#open.pop()
      if (container === undefined) return this.#root.join('\n')
      this.#add(this.#unclosed(container))
    }
  }

  #unclosed(container: Container): readonly string[] {
    const { name, title, opening, lines } = container
    if (alertType(name) === undefined) return title === '' ? lines : [opening, ...lines]
    const blank = lines.findIndex((line) => line.trim() === '')
    const end = blank === -1 ? lines.length : blank
    const made = render({ ...container, lines: lines.slice(0, end) }, this.#changed)
    return [...made, ...lines.slice(end)]
  }

  #close(last: string): void {
    if (last.trim() !== '') this.#add([last])
    const container = this.#open.pop()
    if (container !== undefined) this.#add(render(container, this.#changed))
  }

  #add(lines: readonly string[]): void {
    const to = this.#open.at(-1)?.lines ?? this.#root
    for (const line of lines) to.push(line)
  }
}

/** The texts before and after colons that begin or end a line. */
function fenceOf(line: string): { readonly text: string; readonly rest: string } | undefined {
  const [opening] = /^[ \t]*:{3,}/.exec(line) ?? []
  if (opening !== undefined)
    return { text: trimmedEnd(opening, ':'), rest: line.slice(opening.length) }
  const plain = line.trimEnd()
  const text = trimmedEnd(plain, ':')
  return plain.length - text.length >= 3 && /\s$/.test(text) ? { text, rest: '' } : undefined
}

interface Container {
  readonly indent: string
  readonly name: string
  readonly title: string
  /** The opening line. */
  readonly opening: string
  readonly lines: string[]
}

/** `:::note Title`, `:::note[Title] more`, `:::note{title="Title"}`. */
function nameOf(text: string): {
  readonly name: string
  readonly title: string
  readonly lines: string[]
} {
  const inner = text.trimStart().replace(/^:+/, '')
  const line = trimmedEnd(inner.trim(), ':').trimEnd()
  const [name = ''] = /^[\w-]*/.exec(line) ?? []
  const rest = line.slice(name.length).trim()
  const [, attribute] = /title=["']([^"']*)["']/.exec(rest) ?? []
  const [labelled, label] = /^\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\]/.exec(rest) ?? []
  const words = rest
    .slice(labelled?.length ?? 0)
    .replace(/\{[^{}]*\}/g, '')
    .trim()
  const title = attribute ?? label ?? words
  return { name, title, lines: title === words || words === '' ? [] : [words, ''] }
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
  const text = lines.join('\n')
  if (type !== undefined) return ['', ...alert(type, text, title, indent).split('\n'), '']
  if (name === 'details')
    return [
      `${indent}<details>`,
      `${indent}<summary>${title || 'Details'}</summary>`,
      '',
      ...lines,
      '',
      `${indent}</details>`,
    ]
  if (name === 'figure')
    return ['<figure>', '', ...lines, '', `<figcaption>${title}</figcaption>`, '</figure>']
  return title === '' || name === 'table-wrapper' ? lines : [`${indent}**${title}**`, '', ...lines]
}
