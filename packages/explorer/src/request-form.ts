// The form of one operation: what it does, its fields, the key, the address that comes of it.

import { copyButton, element, textWithCode } from './element.ts'
import { type FieldView, fieldView, problemOf, type Suggest } from './fields.ts'
import type { KeyStore } from './key-store.ts'
import { type ApiOperation, sectionOf } from './operations.ts'
import { missingFields, requestPath, type Values } from './request.ts'
import { baseUrl } from './send.ts'

/** A form, and what was filled in. */
export interface RequestForm {
  readonly root: HTMLElement
  readonly operation: ApiOperation
  readonly values: Values
  /** The path and query as they are filled in now. */
  readonly path: string
  /** Nothing that must be filled in is empty. */
  readonly isComplete: boolean
  /** Goes to what is missing and says so; false when nothing is. */
  demandMissing(): boolean
  /** Fills in the first identifier that is suggested, where none is filled in. */
  prefill(): Promise<void>
  /** Shows the problems of a response at their fields; a problem with the key has the field `key`. */
  showProblems(problems: readonly FieldProblem[]): void
  /** Shows the result of a search next to its text; empty for none. */
  showFound(text: string): void
  /** Goes to a page, as a click did: the next change of a filter begins at the first page again. */
  turnTo(page: number): void
}

/** The collaborators of a form. */
export interface FormContext {
  readonly keys: KeyStore
  readonly suggest: Suggest
  /** Ids that the menu of workspaces has: their field would say the same again. */
  readonly workspaces: () => readonly string[]
  readonly onSend: () => void
  /** Called soon after a key in the field of a search. */
  readonly onType: () => void
  /** The server is `quarry dev`, for which a command makes keys. */
  readonly isDev: boolean
}

/** The form of an operation, with values filled in. */
export function requestForm(
  operation: ApiOperation,
  values: Values,
  context: FormContext,
): RequestForm {
  const fields = operation.fields.map((field) =>
    fieldView(field, values[field.name] ?? '', context.suggest),
  )
  const keyField = operation.needsKey ? keyFieldOf(context) : null
  const address = element('code', { class: 'address' })
  const page = fields.find(({ name }) => name === 'page')
  let isTurned = false
  const current = () => Object.fromEntries(fields.map(({ name, value }) => [name, value]))
  const showAddress = () => {
    address.textContent = requestPath(operation, current())
  }
  const form = element('form', { novalidate: true }, fieldset(keyField, fields, operation, context))
  const search = fields.find(({ name }) => name === 'query')
  const found = element('output', { class: 'found' })
  search?.root.children[0]?.after(found)
  let timer: ReturnType<typeof setTimeout> | undefined
  form.addEventListener('input', ({ target }) => {
    const isIn = (view?: FieldView) => view?.root.contains(target as Node) === true
    if ((isTurned || isIn(search)) && !isIn(page) && page !== undefined) page.value = ''
    isTurned = false
    showAddress()
    if (!isIn(search)) return
    clearTimeout(timer)
    timer = setTimeout(context.onType, typingMilliseconds)
  })
  const sending = element(
    'div',
    { class: 'send' },
    element('div', { class: 'line' }, element('span', { class: 'method' }, 'GET'), address),
    element(
      'div',
      { class: 'actions' },
      element('button', { type: 'submit', class: 'primary' }, 'Send'),
      copyButton('Copy URL', () => baseUrl + requestPath(operation, current())),
    ),
  )
  form.prepend(sending)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    clearTimeout(timer)
    context.onSend()
  })
  showAddress()
  return {
    operation,
    root: form,
    get values() {
      return current()
    },
    get path() {
      return requestPath(operation, current())
    },
    get isComplete() {
      return (
        missingOf(operation, fields).length === 0 && (keyField === null || context.keys.key !== '')
      )
    },
    demandMissing: () => {
      const [first] = missingOf(operation, fields)
      first?.complain('Fill this in first.')
      first?.focus()
      return first !== undefined
    },
    showProblems: (problems) => {
      const shown = keyField === null ? fields : [keyField, ...fields]
      for (const { name, complain } of shown) {
        const { message = '' } = problems.find(({ field }) => field === name) ?? {}
        complain(message)
      }
    },
    prefill: async () => {
      const { name, kind } = operation.fields.find(({ kind }) => kind.type === 'identifier') ?? {}
      const field = fields.find((view) => view.name === name)
      if (field === undefined || kind?.type !== 'identifier' || field.value !== '') return
      const [first = ''] = await context.suggest(kind.of)
      // Text that was typed in the meantime stays.
      if (field.value === '') field.value = first
      showAddress()
    },
    showFound: (text) => {
      found.textContent = text
    },
    turnTo: (number) => {
      if (page !== undefined) page.value = String(number)
      isTurned = true
      showAddress()
    },
  }
}

const howToCreate =
  'Create one: `npx quarry keys create --workspace ID`, for drafts with `--scopes posts:read,drafts:read`.'

/** Until a search is sent: shorter than the time between the keys of most people. */
const typingMilliseconds = 120

/** The required fields, and below them the others in sections: folded where they would be before the response. */
function fieldset(
  keyField: Pick<FieldView, 'root'> | null,
  fields: readonly FieldView[],
  operation: ApiOperation,
  { workspaces }: FormContext,
): readonly HTMLElement[] {
  const isWide = matchMedia(twoColumns).matches
  const isRequired = (name: string) =>
    operation.fields.some((field) => field.name === name && field.isRequired)
  const required = fields
    .filter(({ name }) => isRequired(name))
    .filter(({ name, value }) => name !== 'workspaceId' || !workspaces().includes(value))
  const rootsOf = (some: readonly FieldView[]) => some.map(({ root }) => root)
  const isFilled = (some: readonly FieldView[]) => some.some(({ value }) => value !== '')
  const must = element('div', { class: 'fields' }, keyField?.root ?? null, rootsOf(required))
  const ownOf = (section: string) =>
    fields.filter(({ name }) => !isRequired(name) && sectionOf(name)[0] === section)
  const filled = ['Search', 'Filter', 'Page', 'Output'].filter((name) => ownOf(name).length > 0)
  const sections = filled.map((section) => {
    const own = ownOf(section)
    const rare = own.filter(({ name }) => sectionOf(name)[1])
    const more = element(
      'details',
      { class: 'rare', open: isFilled(rare) },
      element('summary', {}, `${rare.length} more`),
      element('div', { class: 'fields' }, rootsOf(rare)),
    )
    return element(
      'details',
      { class: 'section', open: isWide || isFilled(own) },
      element('summary', {}, section),
      element('div', { class: 'fields' }, rootsOf(own.filter((view) => !rare.includes(view)))),
      rare.length === 0 ? null : more,
    )
  })
  return [must, ...sections]
}

/** Form and answer: the same width as in the styles. */
const twoColumns = '(min-width: 801px)'

function missingOf(operation: ApiOperation, fields: readonly FieldView[]): readonly FieldView[] {
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
  const missing = missingFields(operation, values)
  return fields.filter(({ name }) => missing.includes(name))
}

/** Text that is hidden, without a name: nothing of the browser's offers to keep it. */
function keyFieldOf({ keys, isDev }: FormContext): Pick<FieldView, 'name' | 'root' | 'complain'> {
  const input = element('input', {
    id: 'field-key',
    type: 'password',
    placeholder: 'qk_…',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'field-key-hint',
  })
  input.value = keys.key
  input.addEventListener('input', () => {
    keys.key = input.value.trim()
  })
  const problem = problemOf(input)
  const hint = `Sent in the Authorization header, kept until this tab is closed. ${isDev ? howToCreate : ''}`
  const root = element(
    'div',
    { class: 'field wide' },
    element(
      'label',
      { for: 'field-key' },
      'API key',
      element('span', { class: 'required' }, 'required'),
    ),
    input,
    element('p', { class: 'hint', id: 'field-key-hint' }, problem.root, textWithCode(hint)),
  )
  return { name: 'key', root, complain: problem.show }
}

/** A problem with the value of a field. */
interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** The problems in the body of an error; none for other responses. A refused key has the field `key`. */
export function problemsOf({
  status,
  json,
}: {
  readonly status: number
  readonly json: unknown
}): readonly FieldProblem[] {
  if (status < 400 || typeof json !== 'object' || json === null) return []
  const { message, details } = json as Partial<Record<string, unknown>>
  if (status === 401 || status === 403) return [{ field: 'key', message: String(message ?? '') }]
  return Array.isArray(details) ? details.filter(isProblem).map(asSentence) : []
}

function isProblem(value: unknown): value is FieldProblem {
  const { field, message } = (value ?? {}) as Partial<Record<string, unknown>>
  return typeof field === 'string' && typeof message === 'string'
}

/** `must be a number` becomes `limit must be a number.` */
function asSentence({ field, message }: FieldProblem): FieldProblem {
  return { field, message: `${field} ${message.replace(/\.$/, '')}.` }
}
