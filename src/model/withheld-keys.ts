// Keys by which other tools withhold content from readers. quarry does not read these keys, so a key with a value that
// withholds content is an error: otherwise quarry would publish content that its author withholds.
import { parseDate } from '../api/dates.ts'
import type { YamlValue } from '../content/raw.ts'
import { editDistance } from '../content/source.ts'
import { quote } from '../diagnostics.ts'

/** A decision of a key in other tools: whether something is public, from when, or until when. */
export type Withholding = 'hidden' | 'publication' | 'expiry'

/** The error of a key by what it decides: what the key does, and the fix. */
export type WithheldProblems = {
  readonly [kind in Withholding]?: readonly [does: string, hint: string]
}

/** The errors of keys by which other tools withhold a post. */
export const withheldPost: Required<WithheldProblems> = {
  hidden: [
    'hides the post in other tools, but quarry would publish it.',
    'Write `status: draft` instead, or remove the key to publish the post.',
  ],
  publication: [
    'is a publication date in other tools; quarry reads `publishedAt`.',
    'Write `publishedAt: …` instead.',
  ],
  expiry: [
    'is an expiry date in other tools; quarry reads `expiresAt`.',
    'Write `expiresAt: …` instead.',
  ],
}

/** The errors of keys that withhold a category, tag, author or singleton, and of such keys in `workspace.yml`. */
export const withheldOther: WithheldProblems = {
  hidden: [
    'withholds content in other tools, but quarry would publish it.',
    'Remove the key and anything that must not be public; `v1: private` in workspace.yml makes a workspace private.',
  ],
}

/** Returns the folder of a post that withholds it in other tools, if any. @param path below the folder of posts */
export function findWithheldFolder(path: string): string | undefined {
  return path
    .split('/')
    .slice(0, -1)
    .find((name) => /^_?(?:drafts?|unpublished|trash)$/i.test(name))
}

/** Returns what a key withholds; `harmless` for such a key with a value that withholds nothing. */
export function judgeKey(name: string, value: unknown): Judgement {
  const key = baseKey(name)
  if (containers.test(key)) return judgeNested(value)?.kind
  const text = textOf(value)
  const isEmpty = isEmptyValue(value)
  const written = { value, text, isEmpty, isNo: isEmpty || falsePattern.test(text) }
  for (const [keys, judge] of rules) {
    const judgement = keys.test(key) ? judge(written) : undefined
    if (judgement !== undefined) return judgement
  }
  return judgeByValue(key, value, text)
}

/** Names of maps whose keys count as keys of the post. */
const containers = /^(?:params?|extra|meta(?:data)?|data|custom|properties|attributes)$/

/** Returns the first key of a map that withholds something. A `date` in a map withholds nothing. */
function judgeNested(value: unknown): { name: string; kind: Withholding } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const kind = containers.test(baseKey(name)) ? undefined : judgeKey(name, inner)
    if (kind !== undefined && kind !== 'harmless' && baseKey(name) !== 'date') return { name, kind }
  }
  return undefined
}

type Judgement = Withholding | 'harmless' | undefined

interface KeyValue {
  readonly value: unknown
  /** Empty for a list or map. */
  readonly text: string
  readonly isEmpty: boolean
  /** True for an empty value too. */
  readonly isNo: boolean
}

/** Returns a key and its value, for a message. @param plain the value as plain data */
export function formatKey(name: string, value: YamlValue, plain: unknown): string {
  const inner =
    value.kind === 'map' && containers.test(baseKey(name)) ? judgeNested(plain)?.name : undefined
  if (inner !== undefined) return quote(`${name}.${inner}`)
  return quote(value.kind === 'text' ? `${name}: ${value.value}` : name)
}

/** `is_hidden`, `Hidden`, `hidden` and `hidden_post` are one key. */
function baseKey(name: string): string {
  return lettersOf(name)
    .replace(/^is(?=.)/, '')
    .replace(/^(?:dg|page|article|entry|note|post(?!date|ed|at|on))(?=.)/, '')
    .replace(/(?<=.)(?:page|article|entry|post)$/, '')
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

/** Returns the text of a scalar; empty for a list or map. */
function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? '' : String(value ?? '').trim()
}

function isEmptyValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return /^(?:null|Null|NULL)?$/.test(textOf(value))
  return !(value instanceof Date) && Object.keys(value).length === 0
}

/** Judges any other key by its value: a state such as `draft`, or the value of a key that may be misspelt. */
function judgeByValue(key: string, value: unknown, text: string): Judgement {
  const states = [value].flat().map((state) => lettersOf(textOf(state)))
  const isClosed = states.some((state) => closed.test(state)) && !states.some((s) => open.test(s))
  if (/^draft$/i.test(text) || (stateLike.test(key) && isClosed)) return 'hidden'
  const isMisspelt =
    (truePattern.test(text) &&
      ['draft', 'private', 'hidden', 'unlisted'].some((name) => editDistance(key, name) === 1)) ||
    (falsePattern.test(text) && editDistance(key, 'published') === 1)
  return isMisspelt ? 'hidden' : undefined
}

/** The spellings of true in YAML 1.1 and of other tools. */
export const truePattern: RegExp = /^(?:true|t|yes|y|on|1)$/i
/** The spellings of false in YAML 1.1 and of other tools. */
export const falsePattern: RegExp = /^(?:false|f|no|n|off|0|never)$/i
const open = /^(?:public|publish|published|visible|listed|everyone|all|true|yes|y|on|1)$/i
const closed =
  /^(?:draft|private|pending|hidden|unlisted|(?:un|not)published|future|scheduled|trash(?:ed)?|deleted|archived|retracted|withdrawn|expired|embargo(?:ed)?|inactive|internal|restricted|protected|(?:members?|subscribers?)(?:only)?|premium|paid|password|wip|workinprogress|(?:in)?review)$/
const stateLike = /(?:status|(?<!e)state|stage|visibility|availability|access|audience|privacy)$/

/** True for a date or a year. Dates are not compared with the current time: a build is the same at any time. */
function isDate(text: string): boolean {
  return /^\d{4}$/.test(text) || parseDate(text, 'loose') !== null
}

/** Ends of keys with a date. */
const at = '(?:date|at|on|in|time)'
const shown =
  '(?:valid|publish(?:ed|ing)?|public|visible|shown?|display(?:ed)?|live|active|available|listed|online)'
const hidden = '(?:draft|private|hidden|hide|unlisted|secret|internal|protected|wip|withheld)'
const published = '(?:publish(?:ed|ing)?|publication|pub|scheduled?|golive|release)'
const until = '(?:until|till?|through|thru)'
const readers = '(?:members?|subscribers?|patrons?|supporters?|customers?|staff|team|admins?)'
const gone = '(?:revoked?|deleted|trashed|removed|archived|retracted|withdrawn)'

const unlessNo =
  (kind: Withholding) =>
  ({ isNo }: KeyValue): Judgement =>
    isNo ? 'harmless' : kind
const ifDate =
  (kind: Withholding) =>
  ({ text }: KeyValue): Judgement =>
    isDate(text) ? kind : undefined

/** Rules for keys as `baseKey` returns them: sequences of a few kinds of words. The first rule that judges applies. */
const rules: readonly (readonly [keys: RegExp, judge: (written: KeyValue) => Judgement])[] = [
  exact(
    `(?:date)?(?:expir(?:y|e|es|ed|ation)|unpublish)${at}*|unpublished${at}+|${shown}${until}|hide(?:after|date|at|on)`,
    unlessNo('expiry'),
  ),
  exact(
    `${shown}(?:to|end|ends|down|stop|enddate)|end(?:s|ed)?${at}|until|(?:archive|delete|remove|sunset|takedown|removal)(?:after|date|at|on)`,
    ifDate('expiry'),
  ),
  exact(
    `date|${published}+(?:date|at|on|time|for|after|from|up|start|begin)+|date(?:published|scheduled)|notbefore|golive|scheduled?|embargo(?!ed$).*|(?:visible|available)from|${hidden}(?:${until}|before)`,
    unlessNo('publication'),
  ),
  exact(
    `(?:date)?(?:post(?:ed)?|${shown})(?:date|at|on|time|from|since|start)*`,
    ifDate('publication'),
  ),
  exact(
    `draft|private|hidden|(?:un|no|non|not|notyet|donot|dont)(?:publish(?:ed)?|public|listed)|secret|internal|disabled|deleted|trashed|headless|protected|confidential|removed|excluded?|membersonly|wip|embargoed|(?:eleventy)?excludefromcollections|\\w*password|${gone}(?:at|on|date)|revoked?`,
    unlessNo('hidden'),
  ),
  // These keys have other meanings too: only a plain yes or a date withholds.
  exact(
    `hide|encrypt(?:ed)?|trash|archived|retracted|withdrawn|suspended|inactive|restricted|premium|paid|paywall(?:ed)?|gated|workinprogress|${readers}only|members|subscribers|(?:login|auth)required|requires(?:login|auth)`,
    ({ text, isNo }) =>
      isNo ? 'harmless' : truePattern.test(text) || isDate(text) ? 'hidden' : undefined,
  ),
  exact('published|publish|public|visible|listed|visibility', ({ text, isEmpty }) => {
    if (isEmpty || open.test(text)) return 'harmless'
    return parseDate(text, 'loose') === null ? 'hidden' : 'publication'
  }),
  // For these, only a plain no withholds.
  exact('enabled?|active|live|online|render|permalink|show|approved|ready', ({ isNo, isEmpty }) =>
    isNo && !isEmpty ? 'hidden' : undefined,
  ),
  // Hugo's pages that are not listed or not rendered.
  exact('build', ({ value }) => {
    const { list, render } = Object(value) as Record<string, unknown>
    const isClosed = [list, render].some((it) => /^(?:false|never|link|local)$/i.test(textOf(it)))
    return isClosed ? 'hidden' : undefined
  }),
]

function exact(keys: string, judge: (written: KeyValue) => Judgement) {
  // regex: rows of words at the start of a key; no two words of a row begin alike
  return [new RegExp(`^(?:${keys})$`), judge] as const
}
