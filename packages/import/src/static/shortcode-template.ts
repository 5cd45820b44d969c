// Runs a subset of Hugo templates that covers most custom shortcodes: arguments, inner text, conditions.
import { replaceParts } from '../parts.ts'
import type { BodyContext } from './generator.ts'
import type { Shortcode } from './shortcode-syntax.ts'

type Value = string | boolean
/** An unsupported expression. */
class Unknown extends Error {}

interface Scope {
  readonly shortcode: Shortcode
  readonly inner: string
  readonly context: BodyContext
  readonly variables: Map<string, Value>
  dot: Value | undefined
}

/** Runs a template; undefined when it uses other features of Hugo. */
export function runTemplate(
  template: string,
  shortcode: Shortcode,
  inner = '',
  context: BodyContext,
): string | undefined {
  if (template.length > 65_536) return undefined
  const parts = partsOf(withoutUnshown(template))
  const scope: Scope = { shortcode, inner, context, variables: new Map(), dot: undefined }
  try {
    return render(parts, scope)
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

/** False for a template that shows a script widget and no text of its own or of the post. */
export function showsText(template: string): boolean {
  const structures = /^(?:\/\*|(?:if|else|end|with|range|\$\w+\s*:?=)(?![\w$]))/
  const shown = splitAtActions(template).map((part) =>
    /^\{\{[\s\S]*\}\}$/.test(part) ? (structures.test(codeOf(part)) ? '' : 'x') : part,
  )
  return (
    withoutUnshown(shown.join(''))
      .replace(/<[^<>]*>/g, '')
      .trim() !== ''
  )
}

/** True for a template that shows the text of a shortcode outside of conditions and of hidden elements. */
export function alwaysShowsInner(template: string): boolean {
  if (/\shidden\b|display:\s?none|<(?:template|dialog)\b|crypt/i.test(template)) return false
  let depth = 0
  return splitAtActions(template).some((part) => {
    const code = part.startsWith('{{') ? codeOf(part) : ''
    if (/^(?:if|with|range|block|define)\b/.test(code)) depth++
    if (/^end\b/.test(code)) depth--
    const inner = /^(?:markdownify |safeHTML |\$?\.(?:Page\.)?RenderString )?\$?\.Inner\b/
    return depth === 0 && inner.test(code)
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

function codeOf(action: string): string {
  return action.slice(2, -2).replace(/^-/, '').replace(/-$/, '').trim()
}

/** The parts without actions in attributes that posts cannot contain, which may be unsupported. */
function partsOf(template: string): readonly string[] {
  let isUnshown = false
  return splitAtActions(template).filter((part) => {
    if (part.startsWith('{{')) return !isUnshown
    const quote = part.indexOf('"')
    if (!isUnshown || quote !== -1)
      isUnshown = /\s(?:class|style)="(?!language-)[^"]*$/.test(
        isUnshown ? part.slice(quote + 1) : part,
      )
    return true
  })
}

/** An `if` or `with` that is open. */
interface Block {
  /** True while the branch at hand is shown. */
  isShown: boolean
  /** True when a branch was shown, or the block is in one that is not. */
  isDone: boolean
  readonly dot: Value | undefined
}

function render(parts: readonly string[], scope: Scope): string {
  const blocks: Block[] = []
  let result = ''
  for (const part of parts) {
    const isShown = blocks.every((block) => block.isShown)
    const code = part.startsWith('{{') ? codeOf(part) : undefined
    if (code !== undefined && enter(code, blocks, isShown, scope)) continue
    if (isShown) result += code === undefined ? part : act(code, scope)
  }
  if (blocks.length > 0) throw new Unknown('end')
  return result
}

/** Opens, changes or closes a block; false for other actions. */
function enter(code: string, blocks: Block[], isShown: boolean, scope: Scope): boolean {
  if (/^(?:range|define|block|template|partial|return|break)\b/.test(code)) throw new Unknown(code)
  const [, otherwise, name, condition = ''] =
    /^(?:(else)\s*)?(?:(if|with)\s+([\s\S]+))?$/.exec(code) ?? []
  if (code === 'end') scope.dot = blocks.pop()?.dot
  else if (otherwise !== undefined) choose(blocks.at(-1), name, condition, scope)
  else if (name !== undefined) {
    const block: Block = { isShown: false, isDone: !isShown, dot: scope.dot }
    blocks.push(block)
    choose(block, name, condition, scope)
  } else return code.startsWith('/*')
  return true
}

/** Decides about a branch; one without a condition is the last `else`. */
function choose(
  block: Block | undefined,
  name: string | undefined,
  condition: string,
  scope: Scope,
): void {
  if (block === undefined) throw new Unknown('else')
  block.isShown = false
  scope.dot = block.dot
  if (block.isDone) return
  const [, variable, expression] = /^(\$\w+)\s*:=\s*([\s\S]+)$/.exec(condition) ?? []
  const value = name === undefined ? true : evaluate(expression ?? condition, scope)
  if (variable !== undefined) scope.variables.set(variable, value)
  block.isShown = isTrue(value)
  block.isDone = block.isShown
  if (name === 'with' && block.isShown) scope.dot = value
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
/** Parts between `|` outside of quotes and parentheses. */
const stages = /(?:"(?:[^"\\]|\\.)*"|`[^`]*`|\([^()]*(?:\([^()]*\)[^()]*)*\)|[^|"`()])+/g

function evaluate(code: string, scope: Scope): Value {
  let piped: Value | undefined
  for (const stage of code.match(stages) ?? []) {
    const [head, ...rest] = [...stage.matchAll(word)]
    if (head === undefined) throw new Unknown(code)
    const args = rest.map((item) => argumentOf(item, scope))
    const name = head[4]
    piped = name === undefined ? argumentOf(head, scope) : call(name, args, piped, scope)
  }
  if (piped === undefined) throw new Unknown(code)
  return piped
}

function argumentOf(
  [, quoted, raw, group, name = '']: RegExpExecArray | RegExpMatchArray,
  scope: Scope,
): Value {
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1')
  return raw ?? (group === undefined ? lookUp(name, scope) : evaluate(group, scope))
}

function call(
  name: string,
  values: readonly Value[],
  piped: Value | undefined,
  scope: Scope,
): Value {
  const { positional, named } = scope.shortcode
  if (/^\$?\.Get$/.test(name)) {
    const key = String(values[0] ?? '')
    return (/^\d+$/.test(key) ? positional[Number(key)] : named.get(key.toLowerCase())) ?? ''
  }
  if (/RenderString$/.test(name)) return values.at(-1) ?? piped ?? ''
  const args = piped === undefined ? values : [...values, piped]
  const run = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (run !== undefined) return run(args)
  if (args.length > 0) throw new Unknown(name)
  return lookUp(name, scope)
}

function lookUp(name: string, { shortcode, inner, dot, variables, context }: Scope): Value {
  if (/^\d+$/.test(name)) return name
  if (/^\$?\.Inner(?:Deindent)?$/.test(name)) return inner
  if (name === '.IsNamedParams') return shortcode.named.size > 0
  if (name === 'true' || name === 'false') return name === 'true'
  if (/^\$?\.Page\.Title$/.test(name)) return context.head.title
  const known = name === '.' ? dot : variables.get(name)
  if (known === undefined) throw new Unknown(name)
  return known
}

const isTrue = (value: Value | undefined): boolean =>
  value !== '' && value !== false && value !== undefined
const same = (args: readonly Value[]): Value => args.at(-1) ?? ''
const unchanged =
  'markdownify safeHTML safeURL safeHTMLAttr safeCSS relURL absURL relLangURL absLangURL htmlUnescape emojify plainify string print'

const functions: Readonly<Record<string, (args: readonly Value[]) => Value>> = {
  ...Object.fromEntries(unchanged.split(' ').map((name) => [name, same])),
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
