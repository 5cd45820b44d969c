// The part of the page that exists only in `quarry dev`: follows builds, shows the content and its errors.
import type { ContentView, DevEvent, Diagnostic } from 'quarry'
import { ContentPage } from './content-page.ts'
import { announce, button, element } from './element.ts'
import { followBuilds } from './live.ts'
import { Overlay } from './overlay.ts'
import { send } from './send.ts'

/** The side of the page that follows the content. */
export class DevSide {
  readonly content: ContentPage = new ContentPage()
  readonly #overlay = new Overlay()
  readonly #chip: HTMLElement
  readonly #onBuilt: () => void
  #build = ''
  #root = ''
  #isBroken = false
  #hasReported = false
  #workspaces: readonly string[]

  /**
   * @param workspaces those that the page knew of when it was loaded
   * @param chip shows the state of the last build
   * @param onBuilt called when the content is another than before
   */
  constructor(workspaces: readonly string[], chip: HTMLElement, onBuilt: () => void) {
    this.#workspaces = workspaces
    this.#chip = chip
    this.#onBuilt = onBuilt
    document.body.append(this.#overlay.root)
    this.#showState('lost', 'Connecting')
    followBuilds({
      onEvent: (event) => void this.#take(event),
      onLost: () => this.#showState('lost', 'Reconnecting'),
    })
  }

  /** Ids of workspaces that v1 answers for. */
  get workspaces(): readonly string[] {
    return this.#workspaces
  }

  async #take(event: DevEvent): Promise<void> {
    // A page that was loaded with content has asked for it already.
    const isNews = this.#hasReported || this.#workspaces.length === 0
    const isFirst = !this.#hasReported
    this.#hasReported = true
    if (event.type === 'broken') {
      this.#isBroken = true
      // A page that is opened while the content is broken shows the last good one.
      if (isFirst) await this.#read([])
      this.#showErrors(event.diagnostics.filter(({ severity }) => severity === 'error'))
      return
    }
    this.#overlay.clear()
    this.#showBuilt(event)
    if (this.#isBroken) announce('The content is fixed.')
    this.#isBroken = false
    const isOther = event.build !== this.#build
    this.#build = event.build
    // Drafts and warnings may change where no response does.
    await this.#read(event.diagnostics)
    if (isOther && isNews) this.#onBuilt()
  }

  async #read(warnings: readonly Diagnostic[]): Promise<void> {
    const { json, status } = await send('/_quarry/content', null)
    if (status !== 200) return
    const view = json as ContentView
    this.#root = view.root
    this.#workspaces = view.workspaces.filter(({ isV1Private }) => !isV1Private).map(({ id }) => id)
    this.content.update(view, warnings)
  }

  #showBuilt({ milliseconds, diagnostics }: Extract<DevEvent, { type: 'built' }>): void {
    const warnings = diagnostics.length === 0 ? '' : `, ${count(diagnostics.length, 'warning')}`
    this.#showState('built', 'Built', ` in ${duration(milliseconds)}${warnings}`)
  }

  #showErrors(errors: readonly Diagnostic[]): void {
    this.#overlay.open(errors, this.#root)
    const chip = button(
      count(errors.length, 'error'),
      () => this.#overlay.show(errors, this.#root),
      {
        title: 'Show what is wrong',
      },
    )
    this.#chip.className = 'live broken'
    this.#chip.replaceChildren(chip)
  }

  /** @param more what there is no room for on a phone */
  #showState(state: string, text: string, more = ''): void {
    this.#chip.className = `live ${state}`
    this.#chip.replaceChildren(element('span', {}, text, element('small', {}, more)))
  }
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

/** `72 ms`, `1.3 s`. */
function duration(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`
}
