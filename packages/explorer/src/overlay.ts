// Shows the errors of the content over the page until they are fixed or hidden.
import type { Diagnostic } from 'quarry'
import { diagnosticView } from './code-frame.ts'
import { button, element } from './element.ts'

/** Maximum number of shown problems. Further problems are only counted. */
const problemsShown = 50

/** Shows errors over the page. */
export class Overlay {
  readonly root: HTMLDialogElement = element('dialog', {
    class: 'overlay',
    'aria-labelledby': 'overlay-title',
  })
  /** The problems that the user dismissed. They are not shown again automatically. */
  #dismissed = ''
  #shown = ''

  constructor() {
    this.root.addEventListener('close', () => {
      this.#dismissed = this.#shown
    })
  }

  /** Shows the errors, unless the user dismissed them. */
  open(errors: readonly Diagnostic[], root: string): void {
    const text = JSON.stringify(errors)
    if (text === this.#dismissed) return
    this.#fill(errors, root)
    this.#shown = text
    if (this.root.open) this.root.querySelector('button')?.focus()
    else this.root.showModal()
  }

  /** Shows the errors at the request of the user. */
  show(errors: readonly Diagnostic[], root: string): void {
    this.#dismissed = ''
    this.open(errors, root)
  }

  /** Hides the overlay, because all errors are fixed. */
  clear(): void {
    this.#shown = ''
    this.root.close()
    this.#dismissed = ''
  }

  #fill(errors: readonly Diagnostic[], root: string): void {
    const hidden = errors.length - problemsShown
    this.root.replaceChildren(
      element(
        'header',
        {},
        element('h2', { id: 'overlay-title' }, titleOf(errors.length)),
        button('Close', () => this.root.close(), { class: 'quiet', title: 'Esc', autofocus: true }),
      ),
      element(
        'p',
        { class: 'dim' },
        'The last good responses stay visible. This closes by itself when the content is fixed.',
      ),
      element(
        'div',
        // Long lists can be scrolled, also with the keyboard.
        { class: 'problems', tabindex: 0, role: 'region', 'aria-label': 'Problems' },
        errors.slice(0, problemsShown).map((error) => diagnosticView(error, root)),
        hidden > 0
          ? element('p', { class: 'dim' }, `… and ${hidden.toLocaleString('en')} more.`)
          : null,
      ),
    )
  }
}

function titleOf(count: number): string {
  return count === 1
    ? 'The content has an error'
    : `The content has ${count.toLocaleString('en')} errors`
}
