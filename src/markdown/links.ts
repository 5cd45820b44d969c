// The links and images of a body: which URLs are removed, which anchors lead nowhere, and where authored ids lead.
import type { Schema } from 'hast-util-sanitize'
import { type Position, quote } from '../diagnostics.ts'
import { attributeValue, tagsOf } from './html.ts'
import { limitProblems, type Problem, warning } from './problem.ts'
import { allowedProperties, schema } from './schema.ts'

/** The range of a destination in a body, in UTF-16 code units, without the surrounding `<` and `>`. */
export interface Span extends Position {
  readonly start: number
  readonly end: number
}

/** A link or an image. */
export interface Target {
  readonly kind: 'link' | 'image'
  /** Without the escapes of Markdown or HTML. */
  readonly url: string
  /** The URL in the HTML. */
  readonly href: string
  /** Where the URL is written: references to a definition share it. */
  readonly place: Position
  /** The range of the URL in the body; absent where it is not written in one piece. */
  readonly span?: Span | undefined
}

/** One warning per written URL that the sanitiser removes; a definition counts once. */
export function urlProblems(targets: readonly Target[]): readonly Problem[] {
  const unsafe = new Map<string, Problem>()
  for (const target of targets) {
    const { kind, place } = target
    const key = `${kind} ${place.line} ${place.column}`
    if (!unsafe.has(key) && !isKept(target)) unsafe.set(key, unsafeUrl(target))
  }
  return limitProblems([...unsafe.values()])
}

/** True when the sanitiser keeps a URL: it is relative, or its scheme is allowed. Contains no list of schemes. */
export function isKept(
  { kind, url }: Pick<Target, 'kind' | 'url'>,
  rules: Schema = schema,
): boolean {
  if (!url.includes(':') || /^https?:/.test(url)) return true
  const { tagName, property } = attributes[kind]
  return property in allowedProperties({ tagName, properties: { [property]: url } }, rules)
}

const attributes = {
  link: { tagName: 'a', property: 'href' },
  image: { tagName: 'img', property: 'src' },
} as const

/** The problem of a removed URL. @param rules the schema that rejected it */
export function unsafeUrl({ kind, url, place }: Target, rules: Schema = schema): Problem {
  const schemes = rules.protocols?.[attributes[kind].property] ?? []
  const message = `The target ${quote(url)} of this ${kind} is left out.`
  const hint = `Use a path, or one of these schemes in lower case: ${schemes.join(', ')}.`
  return warning('unsafe-url', place, message, hint)
}

/**
 * One warning per link `#x` when no element of the HTML has the id `x`.
 *
 * @param authoredIds ids in raw HTML, as written by the author
 */
export function anchorProblems(
  targets: readonly Target[],
  html: string,
  authoredIds: ReadonlySet<string>,
): readonly Problem[] {
  // `#` and `#top` lead to the top of any document (HTML, "indicated part of the document").
  const anchors = targets.filter(({ kind, url }) => kind === 'link' && /^#(?!$|top$)/i.test(url))
  if (anchors.length === 0) return []
  const ids = idsIn(html)
  const broken = anchors.filter(({ url }) => {
    const name = decode(url.slice(1))
    return !ids.has(name) && !authoredIds.has(name)
  })
  const hint =
    'Link to the id of a heading, which is derived from its text, or write one: "# Title {#id}".'
  const problems = broken.map(({ url, place }) => {
    const message = `The link ${quote(url)} leads nowhere: nothing in this document has that id.`
    return warning('broken-anchor', place, message, hint)
  })
  return limitProblems(problems)
}

/** The ids in HTML, decoded. @param html as it is served */
export function idsIn(html: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const [tag] of tagsOf(html)) {
    const id = attributeValue(tag, 'id')
    if (id !== null) ids.add(decode(id))
  }
  return ids
}

/** Ids of footnotes are percent-encoded; links to them may or may not be. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
