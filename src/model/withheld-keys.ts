// Keys by which other tools keep something from readers. quarry does not read them, so each one with a value that
// withholds is an error: ignored, it would publish what its author holds back.
import { distance } from 'fastest-levenshtein'
import { parseDate } from '../api/dates.ts'
import type { TermKind } from '../api/resources.ts'
import type { YamlValue } from '../content/raw.ts'
import { quote } from '../diagnostics.ts'
import type { Problem } from './problems.ts'

/** A decision of a key in other tools: whether something is public, from when, or until when. */
export type Withholding = 'hidden' | 'publication' | 'expiry'

/** The problem of a key by what it decides. @param shown the key, with its value if that is short */
export type WithheldProblems = {
  readonly [kind in Withholding]?: (shown: string) => Pick<Problem, 'message' | 'hint'>
}

/** The errors of keys by which other tools withhold a post. */
export const withheldPost: WithheldProblems = {
  hidden: (shown) => ({
    message: `${shown} hides the post in other tools, but quarry would publish it.`,
    hint: 'Write `status: draft` instead, or remove the key to publish the post.',
  }),
  publication: (shown) => ({
    message: `${shown} is a publication date in other tools; quarry reads \`publishedAt\`.`,
    hint: 'Write `publishedAt: …` instead.',
  }),
  expiry: (shown) => ({
    message: `${shown} ends a post in other tools; quarry would keep it, as it reads no such date yet.`,
    hint: 'Remove the key, and write `status: draft` when the post must go.',
  }),
}

/** Returns the folder of a post that withholds it in other tools, if any. @param path below the folder of posts */
export function withheldFolder(path: string): string | undefined {
  return path
    .split('/')
    .slice(0, -1)
    .find((name) => /^_?(?:drafts?|unpublished|trash)$/i.test(name))
}

/** The errors of such keys of a category, tag or author. */
export function withheldTerm(kind: TermKind): WithheldProblems {
  return {
    hidden: (shown) => ({
      message: `${shown} withholds a page in other tools, but quarry has no hidden ${kind}.`,
      hint: 'Remove the entry or its file. Remove the key to publish it.',
    }),
  }
}

/** The errors of such keys in `workspace.yml`. */
export const withheldWorkspace: WithheldProblems = {
  hidden: (shown) => ({
    message: `${shown} does not close a workspace; v1 would be public.`,
    hint: 'Write `v1: private`, so that every request needs a key.',
  }),
}

/** The errors of such keys of an API key. */
export const withheldKey: WithheldProblems = {
  hidden: (shown) => ({
    message: `${shown} does not revoke a key, which would stay valid.`,
    hint: 'Write `revoked: …` with the date, or run `quarry keys revoke`.',
  }),
  expiry: (shown) => ({
    message: `${shown} is not read, and the key would stay valid.`,
    hint: 'Write `expires: …` instead.',
  }),
}

/**
 * Returns what a key withholds.
 *
 * @param value plain data; scalars may be text as typed, such as `no`
 * @returns `harmless` for such a key with a value that withholds nothing; undefined for other keys
 */
export function withholds(name: string, value: unknown): Judgement {
  const key = keyOf(name)
  const text = textOf(value)
  const isEmpty = saysNothing(value)
  const written = { value, text, isEmpty, isNo: isEmpty || no.test(text) }
  const rule = rules.find(([keys]) => keys.test(key))
  return rule === undefined ? judgeByValue(key, text) : rule[1](written)
}

type Judgement = Withholding | 'harmless' | undefined

interface Written {
  readonly value: unknown
  /** Empty for a list or map. */
  readonly text: string
  readonly isEmpty: boolean
  /** True for an empty value too. */
  readonly isNo: boolean
}

/** Returns a key and its value, for a message. */
export function shownKey(name: string, value: YamlValue): string {
  return quote(value.kind === 'text' ? `${name}: ${value.value}` : name)
}

/** `is_hidden`, `Hidden` and `hidden` are one key. */
function keyOf(name: string): string {
  const key = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  const [, rest = key] = /^is(.+)$/.exec(key) ?? []
  return rest
}

/** @returns empty for a list or map */
function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? '' : String(value ?? '').trim()
}

function saysNothing(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return /^(?:null|Null|NULL)?$/.test(textOf(value))
  return !(value instanceof Date) && Object.keys(value).length === 0
}

/** Hugo's `build`: pages that are in no list or that are not rendered. */
function judgeBuild({ value }: Written): Judgement {
  const { list, render } = Object(value) as Record<string, unknown>
  const isClosed = [list, render].some((part) => /^(?:false|never|link|local)$/i.test(textOf(part)))
  return isClosed ? 'hidden' : undefined
}

/** A key with another name that names a state, or that may be misspelt. */
function judgeByValue(key: string, text: string): Judgement {
  if (/^draft$/i.test(text) || (stateLike.test(key) && closed.test(text))) return 'hidden'
  const isMisspelt =
    (yes.test(text) && isNear(key, ['draft', 'private', 'hidden', 'unlisted'])) ||
    (no.test(text) && isNear(key, ['published']))
  return isMisspelt ? 'hidden' : undefined
}

/** One letter more, less or other, or two swapped. */
function isNear(key: string, names: readonly string[]): boolean {
  const letters = [...key].sort().join('')
  return names.some((name) => {
    const edits = distance(key, name)
    return edits === 1 || (edits === 2 && [...name].sort().join('') === letters)
  })
}

/** The spellings of true in YAML 1.1 and of other tools. */
export const yes: RegExp = /^(?:true|t|yes|y|on|1)$/i
/** The spellings of false in YAML 1.1 and of other tools. */
export const no: RegExp = /^(?:false|f|no|n|off|0|never)$/i
const open = /^(?:public|publish|published|visible|listed|everyone|all|true|yes|y|on|1)$/i
const closed =
  /^(?:draft|private|pending|hidden|unlisted|unpublished|future|scheduled|trash(?:ed)?|deleted|archived|inactive|internal|restricted|protected|members|paid|password|wip|(?:in[ _-]?)?review)$/i

const stateLike = /(?:status|state|stage|visibility|availability|access|audience)$/

/** Rules for values, by the name of the key: lower case, letters and digits only, without `is`. */
const rules: readonly (readonly [keys: RegExp, judge: (written: Written) => Judgement])[] = [
  [
    /^(?:(?:expir(?:y|e|es|ed|ation)|unpublish)(?:date|at|on|in|time)?|(?:valid|publish|public|visible)until|hideafter)$/,
    unlessNo('expiry'),
  ],
  [
    /^(?:date|(?:publish(?:ed)?|publication|pub|scheduled?|golive|release)(?:date|at|on|time|for|after|from)|datepublished|notbefore|golive|scheduled?|embargo(?:until)?|(?:visible|available)from)$/,
    unlessNo('publication'),
  ],
  [
    /^(?:draft|private|hidden|hide|unlisted|(?:un|no|donot|dont)publish(?:ed)?|secret|internal|disabled|deleted|trashed|headless|protected|confidential|removed|excluded?|membersonly|wip|embargoed|(?:eleventy)?excludefromcollections|(?:\w*)password|revoked?(?:at|on|date)?)$/,
    unlessNo('hidden'),
  ],
  [/^(?:published|publish|public|visible|listed|visibility)$/, judgePublic],
  // These have other meanings too: only a plain no withholds.
  [
    /^(?:enabled|live|online|render|permalink|show|approved|ready)$/,
    ({ isNo, isEmpty }) => (isNo && !isEmpty ? 'hidden' : undefined),
  ],
  [/^build$/, judgeBuild],
]

function unlessNo(kind: Withholding): (written: Written) => Judgement {
  return ({ isNo }) => (isNo ? 'harmless' : kind)
}

function judgePublic({ text, isEmpty }: Written): Judgement {
  if (isEmpty || open.test(text)) return 'harmless'
  return parseDate(text, 'loose') === null ? 'hidden' : 'publication'
}
