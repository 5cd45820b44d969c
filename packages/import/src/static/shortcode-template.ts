// Runs a subset of Hugo templates that covers most custom shortcodes: arguments, inner text, conditions.
import { replaceParts } from '../parts.ts'
import type { BodyContext } from './generator.ts'
import type { Shortcode } from './shortcode-syntax.ts'

/** Runs a template; undefined when it uses other features of Hugo. */
export function runTemplate(
  template: string,
  shortcode: Shortcode,
  inner: string | undefined,
  context: BodyContext,
): string | undefined {
  const nodes = template.length > 65_536 ? undefined : parse(withoutUnshown(template))
  if (nodes === undefined) return undefined
  const scope: Scope = {
    shortcode,
    inner: inner ?? '',
    context,
    variables: new Map(),
    dot: undefined,
  }
  try {
    return render(nodes, scope)
      .split('\n')
      .map((line) => (line.trimStart().startsWith('<') ? line.trimStart() : line))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  } catch (error) {
    if (error instanceof Unknown) return undefined
    throw error
  }
}

/** A template without scripts and styles, which posts cannot contain. */
function withoutUnshown(template: string): string {
  return replaceParts(
    template,
    /<(script|style)\b/gi,
    ([, name]) => `</${name}>`,
    () => '',
  )
}

/** The start of an attribute that posts cannot contain, at the end of a text: its actions may be unsupported. */
const unshownAttribute = /\s(?:class|style)="(?!language-)[^"]*$/

/** False for a template that shows a script widget and no text of its own or of the post. */
export function showsText(template: string): boolean {
  const structures = /^-?\s*(?:\/\*|(?:if|else|end|with|range|\$\w+\s*:?=)(?![\w$]))/
  const plain = replaceParts(
    template,
    /\{\{/g,
    () => '\\}\\}',
    ({ inner }) => (structures.test(inner) ? '' : 'x'),
  )
  const visible = withoutUnshown(plain).replace(/<[^<>]*>/g, '')
  return visible.trim() !== ''
}

/** True for a template that shows the text of a shortcode outside of conditions and of hidden elements. */
export function alwaysShowsInner(template: string): boolean {
  if (/\shidden\b|display:\s?none|<(?:template|dialog)\b|crypt/i.test(template)) return false
  let depth = 0
  return splitAtActions(template).some((part) => {
    const code = part.startsWith('{{') ? part.slice(2, -2).replace(/^-/, '').trim() : ''
    if (/^(?:if|with|range|block|define)\b/.test(code)) depth++
    if (/^end\b/.test(code)) depth--
    const isInner = /^(?:markdownify |safeHTML |\$?\.(?:Page\.)?RenderString )?\$?\.Inner\b/.test(
      code,
    )
    return isInner && depth === 0
  })
}

/** An unsupported expression. */
class Unknown extends Error {}

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly code: string }
  | { readonly kind: 'block'; readonly name: 'if' | 'with'; readonly branches: readonly Branch[] }

interface Branch {
  /** Undefined for the last `else`. */
  readonly condition: string | undefined
  readonly nodes: Node[]
}

interface Scope {
  readonly shortcode: Shortcode
  readonly inner: string
  readonly context: BodyContext
  readonly variables: Map<string, Value>
  readonly dot: Value | undefined
}

type Value = string | boolean

interface Frame {
  readonly name: 'if' | 'with'
  readonly branches: Branch[]
}

/** Splits a template into texts and actions, omitting actions in attributes that posts cannot contain. */
function partsOf(template: string): readonly string[] {
  let isUnshown = false
  return splitAtActions(template).filter((part) => {
    if (part.startsWith('{{')) return !isUnshown
    const quote = part.indexOf('"')
    if (!isUnshown || quote !== -1)
      isUnshown = unshownAttribute.test(isUnshown ? part.slice(quote + 1) : part)
    return true
  })
}

/** Texts and `{{ actions }}` in order. */
function splitAtActions(template: string): readonly string[] {
  const parts: string[] = []
  let done = 0
  replaceParts(
    template,
    /\{\{/g,
    () => '\\}\\}',
    ({ start, end }) => {
      parts.push(template.slice(done, start), template.slice(start, end))
      done = end
      return ''
    },
  )
  return [...parts, template.slice(done)]
}

/** Undefined for blocks other than `if` and `with`. */
function parse(template: string): readonly Node[] | undefined {
  const root: Node[] = []
  const frames: Frame[] = []
  const current = () => frames.at(-1)?.branches.at(-1)?.nodes ?? root
  for (const part of partsOf(template)) {
    if (!part.startsWith('{{')) {
      current().push({ kind: 'text', text: part })
      continue
    }
    const code = part.slice(2, -2).replace(/^-/, '').replace(/-$/, '').trim()
    if (code.startsWith('/*')) continue
    if (/^(?:range|define|block|template|partial|return|break)\b/.test(code)) return undefined
    if (!structure(code, frames, current)) current().push({ kind: 'action', code })
  }
  return frames.length === 0 ? root : undefined
}

function structure(code: string, frames: Frame[], current: () => Node[]): boolean {
  const [, name, condition] = /^(if|with)\s+([\s\S]+)$/.exec(code) ?? []
  if (name === 'if' || name === 'with') {
    frames.push({ name, branches: [{ condition, nodes: [] }] })
    return true
  }
  const [, otherwise, , next] = /^(else)(?:\s+(if|with)\s+([\s\S]+))?$/.exec(code) ?? []
  if (otherwise !== undefined) {
    frames.at(-1)?.branches.push({ condition: next, nodes: [] })
    return true
  }
  if (code !== 'end') return false
  const frame = frames.pop()
  if (frame !== undefined) current().push({ kind: 'block', ...frame })
  return true
}

function render(nodes: readonly Node[], scope: Scope): string {
  return nodes.map((node) => renderOne(node, scope)).join('')
}

function renderOne(node: Node, scope: Scope): string {
  if (node.kind === 'text') return node.text
  if (node.kind === 'action') return act(node.code, scope)
  for (const { condition, nodes } of node.branches) {
    const value = condition === undefined ? true : conditionOf(condition, scope)
    if (value !== '' && value !== false)
      return render(nodes, node.name === 'with' ? { ...scope, dot: value } : scope)
  }
  return ''
}

function conditionOf(code: string, scope: Scope): Value {
  const [, variable, expression] = /^(\$\w+)\s*:=\s*([\s\S]+)$/.exec(code) ?? []
  const value = evaluate(expression ?? code, scope)
  if (variable !== undefined) scope.variables.set(variable, value)
  return value
}

function act(code: string, scope: Scope): string {
  const [, variable, expression] = /^(\$\w+)\s*:?=\s*([\s\S]+)$/.exec(code) ?? []
  if (variable === undefined || expression === undefined) return String(evaluate(code, scope))
  try {
    scope.variables.set(variable, evaluate(expression, scope))
  } catch (error) {
    // Fails only where the variable is used.
    if (!(error instanceof Unknown)) throw error
    scope.variables.delete(variable)
  }
  return ''
}

const word = /"((?:[^"\\]|\\.)*)"|`([^`]*)`|\(([^()]*(?:\([^()]*\)[^()]*)*)\)|([^\s|()"`]+)/g

function evaluate(code: string, scope: Scope): Value {
  let piped: Value | undefined
  for (const stage of splitPipes(code)) {
    const words = [...stage.matchAll(word)].map(([, quoted, raw, group, name]): Value | Name => {
      if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1')
      if (raw !== undefined) return raw
      return group === undefined ? new Name(name ?? '') : evaluate(group, scope)
    })
    piped = call(words, piped, scope)
  }
  if (piped === undefined) throw new Unknown(code)
  return piped
}

/** Splits at `|` outside of quotes and parentheses. */
function splitPipes(code: string): readonly string[] {
  return (
    code.match(/(?:"(?:[^"\\]|\\.)*"|`[^`]*`|\([^()]*(?:\([^()]*\)[^()]*)*\)|[^|"`()])+/g) ?? []
  )
}

class Name {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

function call(
  [head, ...rest]: readonly (Value | Name)[],
  piped: Value | undefined,
  scope: Scope,
): Value {
  if (!(head instanceof Name)) return head ?? ''
  const values = rest.map((item) => (item instanceof Name ? lookUp(item.text, scope) : item))
  if (/^\$?\.Get$/.test(head.text)) return get(values[0] ?? '', scope)
  if (/RenderString$/.test(head.text)) return values.at(-1) ?? piped ?? ''
  const args = piped === undefined ? values : [...values, piped]
  const run = Object.hasOwn(functions, head.text) ? functions[head.text] : undefined
  if (run !== undefined) return run(args)
  if (args.length > 0) throw new Unknown(head.text)
  return lookUp(head.text, scope)
}

function get(key: Value, { shortcode }: Scope): string {
  const text = String(key)
  return (
    (/^\d+$/.test(text)
      ? shortcode.positional[Number(text)]
      : shortcode.named.get(text.toLowerCase())) ?? ''
  )
}

function lookUp(name: string, scope: Scope): Value {
  const { shortcode, inner, dot, variables, context } = scope
  if (/^\d+$/.test(name)) return name
  if (/^\$?\.Inner(?:Deindent)?$/.test(name)) return inner
  if (name === '.IsNamedParams') return shortcode.named.size > 0
  if (name === 'true' || name === 'false') return name === 'true'
  if (/^\$?\.Page\.Title$/.test(name)) return context.head.title
  if (name === '.' && dot !== undefined) return dot
  const known = variables.get(name)
  if (known === undefined) throw new Unknown(name)
  return known
}

const isTrue = (value: Value | undefined): boolean =>
  value !== '' && value !== false && value !== undefined
const same = (args: readonly Value[]): Value => args.at(-1) ?? ''

const functions: Readonly<Record<string, (args: readonly Value[]) => Value>> = {
  ...Object.fromEntries(
    'markdownify safeHTML safeURL safeHTMLAttr safeCSS relURL absURL relLangURL absLangURL htmlUnescape emojify plainify string print'
      .split(' ')
      .map((name) => [name, same]),
  ),
  htmlEscape: (args) => String(same(args)).replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  lower: (args) => String(same(args)).toLowerCase(),
  upper: (args) => String(same(args)).toUpperCase(),
  title: (args) => String(same(args)).replace(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase()),
  humanize: (args) => String(same(args)).replace(/[-_]/g, ' '),
  trim: (args) => String(args.length > 1 ? args[0] : same(args)).trim(),
  default: ([fallback = '', value]) => (isTrue(value) ? (value ?? '') : fallback),
  or: (args) => args.find(isTrue) ?? args.at(-1) ?? '',
  and: (args) => args.find((arg) => !isTrue(arg)) ?? args.at(-1) ?? '',
  not: ([value]) => !isTrue(value),
  eq: ([first, ...others]) => others.some((other) => other === first),
  ne: ([first, second]) => first !== second,
}
