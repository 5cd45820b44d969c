// The form of one operation: the description, the fields, the key, and the resulting URL.

import { copyButton, element, textWithCode } from './element.ts'
import { type FieldView, fieldView, problemOf, type Suggest } from './fields.ts'
import type { KeyStore } from './key-store.ts'
import { type ApiOperation, sectionOf } from './operations.ts'
import { missingFields, requestPath, type Values } from './request.ts'
import { baseUrl } from './send.ts'

/** A form and its values. */
export interface RequestForm {
  readonly root: HTMLElement
  readonly operation: ApiOperation
  readonly values: Values
  /** The path and query with the current values. */
  readonly path: string
  /** True if all required fields have values. */
  readonly isComplete: boolean
  /** Focuses the first missing field and announces it; returns false if no field is missing. */
  demandMissing(): boolean
  /** Fills in the first suggested identifier if there is none. */
  prefill(): Promise<void>
  /** Shows the problems of a response at their fields; a problem with the key has the field `key`. */
  showProblems(problems: readonly FieldProblem[]): void
  /** Shows the result of a search next to its text; empty for none. */
  showFound(text: string): void
  /** Goes to a page. The next change of a filter returns to the first page. */
  turnTo(page: number): void
}

/** The dependencies of a form. */
export interface FormContext {
  readonly keys: KeyStore
  readonly suggest: Suggest
  /** Ids in the menu of workspaces. The form then needs no field for the workspace. */
  readonly workspaces: () => readonly string[]
  readonly onSend: () => void
  /** Called shortly after the user typed in the search field. */
  readonly onType: () => void
  /** True if the server is `quarry dev`, for which a command creates keys. */
  readonly isDev: boolean
}

/** Returns the form of an operation, filled in with values. */
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

/** Milliseconds from typing to a search, shorter than the time between keystrokes of most people. */
const typingMilliseconds = 120

/** Returns the required fields, then the others in sections, which are folded if the response is below them. */
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

/** Screens with form and response side by side; the same width as in the styles. */
const twoColumns = '(min-width: 801px)'

function missingOf(operation: ApiOperation, fields: readonly FieldView[]): readonly FieldView[] {
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
  const missing = missingFields(operation, values)
  return fields.filter(({ name }) => missing.includes(name))
}

/** Returns the field for the key. It is hidden text without a name, so that browsers do not offer to store it. */
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

/** Returns the problems in the body of an error; none for other responses. A refused key has the field `key`. */
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

/** Makes a sentence of a message: `must be a number` becomes `limit must be a number.` */
function asSentence({ field, message }: FieldProblem): FieldProblem {
  return { field, message: `${field} ${message.replace(/\.$/, '')}.` }
}
