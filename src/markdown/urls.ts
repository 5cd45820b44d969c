// Warns of links and images whose URL the sanitiser removes, by asking the sanitiser. Contains no list of schemes.
import { type Schema, sanitize } from 'hast-util-sanitize'
import { quote } from '../diagnostics.ts'
import { limitProblems, type Problem, placeOf } from './problem.ts'
import { schema } from './schema.ts'
import type { Survey, Target } from './survey.ts'

/** One warning per written URL that is removed; a definition counts once. */
export function urlProblems({ targets }: Pick<Survey, 'targets'>): readonly Problem[] {
  const unsafe = new Map<Target['node'], Target>()
  for (const target of targets) {
    if (!unsafe.has(target.node) && !isKept(target)) unsafe.set(target.node, target)
  }
  return limitProblems([...unsafe.values()].map((target) => unsafeUrl(target, schema)))
}

/** True when the sanitiser keeps the URL: it is relative, or its scheme is allowed. */
export function isKept({ kind, url }: Pick<Target, 'kind' | 'url'>): boolean {
  if (!url.includes(':') || /^https?:/.test(url)) return true
  const { tagName, property } = places[kind]
  const properties = { [property]: url }
  const clean = sanitize({ type: 'element', tagName, properties, children: [] }, schema)
  return clean.type === 'element' && property in clean.properties
}

const places = {
  link: { tagName: 'a', property: 'href' },
  image: { tagName: 'img', property: 'src' },
} as const

/** The problem of a removed URL. @param rules the schema that rejected it */
export function unsafeUrl({ kind, url, node }: Target, rules: Schema): Problem {
  const schemes = rules.protocols?.[places[kind].property] ?? []
  return {
    ...placeOf(node),
    code: 'unsafe-url',
    severity: 'warning',
    message: `The target ${quote(url)} of this ${kind} is left out.`,
    hint: `Use a path, or one of these schemes in lower case: ${schemes.join(', ')}.`,
  }
}
