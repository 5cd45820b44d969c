// The palette: one field that finds everything on the page. Follows the combobox pattern of WAI-ARIA.
import { button, element } from './element.ts'

/** A target of the palette. */
export interface Target {
  /** `Operation`, `Workspace`, `Parameter`, `Recent` or `Command`. */
  readonly kind: string
  readonly label: string
  /** Further text, such as a path; empty for none. */
  readonly detail: string
  readonly go: () => void
}

const targetsShown = 40

/** The palette with its dialog and the button that opens it. */
export class Palette {
  readonly root: HTMLDialogElement = element('dialog', {
    class: 'palette',
    'aria-label': 'Jump to',
  })
  readonly button: HTMLButtonElement = button(
    [element('span', {}, 'Jump to'), element('kbd', { 'aria-hidden': 'true' }, 'Ctrl K')],
    () => this.open(),
    { class: 'jump', 'aria-keyshortcuts': 'Control+K Meta+K' },
  )
  readonly #targets: () => readonly Target[]
  readonly #find: (text: string) => Promise<readonly Target[]>
  readonly #list = element('ul', { role: 'listbox', id: 'targets', 'aria-label': 'Targets' })
  readonly #field = element('input', {
    type: 'text',
    role: 'combobox',
    placeholder: 'A post, an operation, a parameter …',
    'aria-label': 'Jump to',
    'aria-expanded': 'true',
    'aria-controls': 'targets',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    autofocus: true,
  })
  #all: readonly Target[] = []
  #shown: readonly Target[] = []
  #at = 0

  /** @param targets called whenever the palette is opened @param find returns more targets for a text */
  constructor(
    targets: () => readonly Target[],
    find: (text: string) => Promise<readonly Target[]>,
  ) {
    this.#targets = targets
    this.#find = find
    this.root.append(this.#field, this.#list)
    this.#field.addEventListener('input', () => void this.#search())
    this.#field.addEventListener('keydown', (event) => this.#onKey(event))
    this.root.addEventListener('click', ({ target }) => target === this.root && this.root.close())
    document.addEventListener('keydown', (event) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (this.root.open) this.root.close()
      else if (document.querySelector('dialog[open]') === null) this.open()
    })
  }

  /** Shows the palette with an empty field. */
  open(): void {
    this.#all = this.#targets()
    this.#field.value = ''
    this.#show()
    this.root.showModal()
  }

  async #search(): Promise<void> {
    this.#show()
    const text = this.#field.value.trim()
    if (text.length < 2) return
    const found = await this.#find(text)
    if (text === this.#field.value.trim()) this.#show(found)
  }

  #show(found: readonly Target[] = []): void {
    const words = this.#field.value.toLowerCase().split(/\s+/)
    this.#shown = this.#all
      .filter(({ kind, label, detail }) => {
        const text = `${kind} ${label} ${detail}`.toLowerCase()
        return words.every((word) => text.includes(word))
      })
      .slice(0, targetsShown)
      .concat(found)
    const rows = this.#shown.map((target, at) => {
      const { kind, label, detail } = target
      const row = element(
        'li',
        { role: 'option', id: `target-${at}` },
        element('span', {}, label),
        element('code', {}, detail),
        element('small', {}, kind),
      )
      row.addEventListener('click', () => this.#go(target))
      return row
    })
    const none = element(
      'li',
      { class: 'empty', role: 'option', 'aria-disabled': 'true' },
      'Nothing has this name.',
    )
    this.#list.replaceChildren(...(rows.length === 0 ? [none] : rows))
    this.#choose(found.length === 0 ? 0 : this.#at)
  }

  #choose(at: number): void {
    const { length } = this.#shown
    this.#at = length === 0 ? 0 : (at + length) % length
    for (const [index, row] of [...this.#list.children].entries()) {
      row.setAttribute('aria-selected', String(index === this.#at && length > 0))
      if (index === this.#at) row.scrollIntoView({ block: 'nearest' })
    }
    this.#field.setAttribute('aria-activedescendant', length === 0 ? '' : `target-${this.#at}`)
  }

  #onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const target = this.#shown[this.#at]
    if (step !== undefined) this.#choose(this.#at + step)
    else if (event.key === 'Enter' && target !== undefined) this.#go(target)
    else return
    event.preventDefault()
  }

  #go({ go }: Target): void {
    // The focus returns to the previous element, unless the target takes it.
    this.root.close()
    go()
  }
}
