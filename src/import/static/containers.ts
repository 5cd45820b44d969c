// Containers between lines of colons, as Docusaurus, VitePress, Astro and markdown-it write them.
import { alert, alertType } from './alerts.ts'
import { maskCode } from './code-mask.ts'
import type { BodyContext } from './generator.ts'

/** `:::note Title` and its kin become alerts; every other container leaves its text. */
export function containersToAlerts(
  body: string,
  { changed }: Pick<BodyContext, 'changed'>,
): string {
  if (!body.includes(':::')) return body
  const masked = maskCode(body).split('\n')
  const stack: Container[] = [{ indent: '', colons: 0, name: '', title: '', lines: [] }]
  const close = (): void => {
    const container = stack.pop()
    if (container === undefined) return
    if (container.name !== '') changed(`container ${container.name} → ${describe(container.name)}`)
    stack.at(-1)?.lines.push(...render(container))
  }
  for (const [index, line] of body.split('\n').entries()) {
    // A line of code is masked, whatever it looks like.
    const [, indent = '', colons, rest = ''] = fence.exec(masked[index] ?? '') ?? []
    if (colons === undefined) stack.at(-1)?.lines.push(line)
    else if (rest.trim() === '' && stack.length > 1) close()
    else if (rest.trim() !== '')
      stack.push({
        indent,
        colons: colons.length,
        ...nameOf(line.trim().slice(colons.length)),
        lines: [],
      })
  }
  while (stack.length > 1) close()
  return stack[0]?.lines.join('\n') ?? ''
}

const fence = /^([ \t]*)(:{3,})(.*)$/

interface Container {
  readonly indent: string
  readonly colons: number
  readonly name: string
  readonly title: string
  readonly lines: string[]
}

/** `note Title`, `note[Title]`, `note{title="Title"}`. */
function nameOf(text: string): { readonly name: string; readonly title: string } {
  const [, name = '', rest = ''] = /^\s*([\w-]*)\s*(.*?)\s*:*\s*$/.exec(text) ?? []
  const [, attribute] = /title=["']([^"']*)["']/.exec(rest) ?? []
  const label = /^\[(.*)\]/.exec(rest)?.[1]
  return { name, title: attribute ?? label ?? rest.replace(/\{[^}]*\}/g, '').trim() }
}

function describe(name: string): string {
  return alertType(name) === undefined ? 'its text' : 'alert'
}

function render({ name, title, lines, indent }: Container): readonly string[] {
  const type = alertType(name)
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
