// The fields of a request: one for each parameter, according to its kind.
import { element, textWithCode } from './element.ts'
import type { Field } from './operations.ts'

/** Returns names that a field suggests: slugs of a kind of resource, or ids of workspaces. */
export type Suggest = (of: string) => Promise<readonly string[]>

/** A field with its label and its value. */
export interface FieldView {
  readonly root: HTMLElement
  readonly name: string
  value: string
  /** Shows a problem with the value until the value changes; empty for none. */
  complain(problem: string): void
  focus(): void
}

/** Returns a field for a parameter. */
export function fieldView(field: Field, initial: string, suggest: Suggest): FieldView {
  const id = `field-${field.name}`
  const view = field.kind.type === 'flag' ? flag(field, id) : single(field, id, suggest)
  view.value = initial
  return view
}

function single(field: Field, id: string, suggest: Suggest): FieldView {
  const hint = `${id}-hint`
  const control = field.kind.type === 'choice' ? choice(field, id) : input(field, id)
  control.setAttribute('aria-describedby', hint)
  const options = suggestedKind(field)
  const datalist = options === null ? null : element('datalist', { id: `${id}-options` })
  if (datalist !== null && options !== null) {
    control.setAttribute('list', datalist.id)
    const isList = field.kind.type === 'slugs' || field.kind.type === 'choices'
    control.addEventListener('focus', () => void offer(datalist, control.value, isList))
    if (isList) control.addEventListener('input', () => void offer(datalist, control.value, true))
  }
  const offer = async (list: HTMLElement, value: string, isList: boolean) => {
    // The part before the last comma stays. Suggestions replace the rest.
    const before = isList ? value.slice(0, value.lastIndexOf(',') + 1) : ''
    const { kind } = field
    const names = kind.type === 'choices' ? kind.options : await suggest(options ?? '')
    list.replaceChildren(...names.map((name) => element('option', { value: before + name })))
  }
  const problem = problemOf(control)
  return {
    name: field.name,
    root: element(
      'div',
      { class: isWide(field) ? 'field wide' : 'field' },
      element('label', { for: id }, field.name, required(field)),
      control,
      datalist,
      element('p', { class: 'hint', id: hint }, problem.root, textWithCode(field.description)),
    ),
    get value() {
      return control.value.trim()
    },
    set value(text: string) {
      // A word that is not in the menu is sent unchanged. The response describes the problem.
      if (control instanceof HTMLSelectElement && ![...control.options].some(isOption(text))) {
        control.append(element('option', { value: text }, text))
      }
      // A field of this type cannot contain a time of day.
      const isDate = field.kind.type === 'date' && /^(\d{4}-\d\d-\d\d)?$/.test(text)
      if (control instanceof HTMLInputElement && isDate) control.type = 'date'
      control.value = text
    },
    complain: problem.show,
    focus: () => control.focus(),
  }
}

function isOption(text: string): (option: HTMLOptionElement) => boolean {
  return ({ value }) => value === text
}

/** Returns the line with the problem of a control, which is part of the control's description. */
export function problemOf(control: HTMLElement): {
  readonly root: HTMLElement
  readonly show: (problem: string) => void
} {
  const root = element('span', { class: 'complaint', hidden: true })
  const show = (problem: string) => {
    root.textContent = problem
    root.hidden = problem === ''
    if (problem === '') control.removeAttribute('aria-invalid')
    else control.setAttribute('aria-invalid', 'true')
  }
  control.addEventListener('input', () => show(''))
  return { root, show }
}

/** Reports whether a field takes a whole row. Numbers, flags and lists are in two columns. */
function isWide({ name, kind, default: empty, description }: Field): boolean {
  if (kind.type === 'text') return empty === null && !name.startsWith('fields.')
  if (kind.type === 'choice') return description.length > 80
  return ['workspace', 'identifier', 'choices'].includes(kind.type)
}

function input({ name, kind, default: empty, isRequired }: Field, id: string): HTMLInputElement {
  return element('input', {
    id,
    type: name === 'query' ? 'search' : kind.type === 'number' ? 'number' : 'text',
    min: kind.type === 'number' ? 1 : null,
    placeholder: name === 'query' ? 'Search as you type' : empty,
    'aria-required': isRequired ? 'true' : null,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  })
}

function choice({ kind, default: empty }: Field, id: string): HTMLSelectElement {
  const options = kind.type === 'choice' ? kind.options : []
  const none = element('option', { value: '' }, empty === null ? 'not set' : `${empty} (default)`)
  return element(
    'select',
    { id },
    none,
    options
      .filter((option) => option !== empty)
      .map((option) => element('option', { value: option }, option)),
  )
}

/** Returns a field with three states, because an unset flag differs from a false one. */
function flag({ name, description }: Field, id: string): FieldView {
  const radios = ['', 'true', 'false'].map((value) =>
    element('input', { type: 'radio', name: id, value, id: `${id}-${value || 'none'}` }),
  )
  const labels = radios.map((radio) =>
    element('label', {}, radio, element('span', {}, radio.value || 'not set')),
  )
  return {
    name,
    root: element(
      'fieldset',
      { class: 'field', 'aria-describedby': `${id}-hint` },
      element('legend', {}, name),
      element('div', { class: 'segments' }, labels),
      element('p', { class: 'hint', id: `${id}-hint` }, textWithCode(description)),
    ),
    get value() {
      return radios.find(({ checked }) => checked)?.value ?? ''
    },
    set value(text: string) {
      for (const radio of radios) radio.checked = radio.value === text
    },
    // All its values are valid.
    complain: () => {},
    focus: () => radios[0]?.focus(),
  }
}

function suggestedKind({ kind }: Field): string | null {
  if (kind.type === 'workspace') return 'workspaces'
  if (kind.type === 'choices') return 'choices'
  return kind.type === 'identifier' || kind.type === 'slugs' ? kind.of : null
}

function required({ isRequired }: Field): HTMLElement | null {
  return isRequired ? element('span', { class: 'required' }, 'required') : null
}
