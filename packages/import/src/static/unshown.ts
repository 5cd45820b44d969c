// Removes elements that the old site does not show to every reader: hidden ones, those that a program shows on a
// condition, and components whose name withholds.
import { placeAt } from './code-mask.ts'
import type { BodyContext } from './generator.ts'
import { findTags, type JsxTag } from './jsx-tags.ts'

const withholdingName =
  /^(?:(?:hugo)?encrypt(?:ed|or|ion)?|decrypt(?:ed)?|password(?:ed|protect(?:ed)?)?|protect(?:ed)?|private|restricted|(?:for)?members?(?:only)?|subscribers?(?:only)?|premium|paywall(?:ed)?|paid(?:only)?|drafts?(?:only)?|internal(?:only)?|hide|hidden|secrets?|(?:if|only)?(?:dev|development)(?:only)?|wip|unpublished|confidential|embargo(?:ed)?)$/

/** True for the name of a shortcode, tag or component that withholds its text: `encrypt`, `MembersOnly`, `if-dev`. */
export function withholdsText(name: string): boolean {
  return withholdingName.test(name.toLowerCase().replace(/[^a-z]/g, ''))
}

/** Removes such elements with their content; an element without an end fails the post. Cost: O(length). */
export function withoutUnshown(body: string, context: Omit<BodyContext, 'head'>): string {
  if (!/<[a-z]/i.test(body)) return body
  const tags = findTags(body)
  const unclosed = new Set<string>()
  let result = ''
  let done = 0
  for (const [at, tag] of tags.entries()) {
    const reason = tag.start < done || unclosed.has(tag.name) ? undefined : reasonOf(tag)
    if (reason === undefined) continue
    const isVoid = tag.kind === 'empty' || /^(?:br|hr|img|input|source|wbr)$/i.test(tag.name)
    const end = isVoid ? tag.end : endOf(tags, at)
    if (end === undefined) {
      const place = placeAt(body, tag.start, context.bodyLine)
      context.unknown(`${reason} has no end`, place)
      unclosed.add(tag.name)
      continue
    }
    context.changed(`${reason} → left out`)
    result += body.slice(done, tag.start)
    done = end
  }
  return result + body.slice(done)
}

function reasonOf({ name, attributes, kind }: JsxTag): string | undefined {
  if (kind === 'close') return undefined
  const tag = name.toLowerCase()
  const has = (key: string) => attributes.some((attribute) => attribute.name.toLowerCase() === key)
  if (tag === 'template' || (tag === 'dialog' && !has('open'))) return `\`<${tag}>\``
  if (/[A-Z-]/.test(name) && withholdsText(name)) return `component ${name}`
  const hiding = attributes.find(
    ({ name: key, text, code }) =>
      /^(?:hidden|v-(?:if|else|else-if|show|for)|x-(?:if|show|for)|ng-(?:if|show|hide))$/i.test(
        key,
      ) ||
      (key.toLowerCase() === 'style' &&
        /(?:display["']?\s?:\s?["']?none|visibility["']?\s?:\s?["']?hidden)/i.test(
          text ?? code ?? '',
        )),
  )
  return hiding === undefined ? undefined : `element with \`${hiding.name}\``
}

/** The end of an element, which may contain others of its name. */
function endOf(tags: readonly JsxTag[], at: number): number | undefined {
  const name = tags[at]?.name.toLowerCase()
  let depth = 0
  for (const tag of tags.slice(at)) {
    if (tag.name.toLowerCase() !== name || tag.kind === 'empty') continue
    depth += tag.kind === 'open' ? 1 : -1
    if (depth === 0) return tag.end
  }
  return undefined
}
