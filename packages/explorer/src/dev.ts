// The part of the page that exists only in `quarry dev`: follows builds, shows the content and its errors.
import type { ContentView, DevEvent, Diagnostic } from 'quarry'
import { Clock } from './clock.ts'
import { ContentPage } from './content-page.ts'
import { announce, button, counted, element } from './element.ts'
import { Overlay } from './overlay.ts'
import { duration } from './response-view.ts'
import { baseUrl, send } from './send.ts'

/** The side of the page that follows the content. */
export class DevSide {
  readonly content: ContentPage = new ContentPage((time) => this.clock.set(time))
  readonly clock: Clock
  readonly #overlay = new Overlay()
  readonly #chip: HTMLElement
  readonly #onBuilt: () => void
  #build = ''
  #root = ''
  #isBroken = false
  #hasReported = false
  #workspaces: readonly string[]

  /**
   * @param workspaces the workspaces that the loaded page contained
   * @param chip the element that shows the state of the last build
   * @param onBuilt called when the content has changed
   */
  constructor(workspaces: readonly string[], chip: HTMLElement, onBuilt: () => void) {
    this.#workspaces = workspaces
    this.#chip = chip
    this.#onBuilt = onBuilt
    this.clock = new Clock(onBuilt)
    document.body.append(this.#overlay.root)
    this.#showState('lost', 'Connecting')
    followBuilds(
      (event) => void this.#take(event),
      () => this.#showState('lost', 'Reconnecting'),
    )
  }

  /** Ids of the workspaces that are public in v1. */
  get workspaces(): readonly string[] {
    return this.#workspaces
  }

  async #take(event: DevEvent): Promise<void> {
    // A page that was loaded with content has already requested it.
    const isNews = this.#hasReported || this.#workspaces.length === 0
    const isFirst = !this.#hasReported
    this.#hasReported = true
    if (event.type === 'broken') {
      this.#isBroken = true
      // A page that is opened while the content has errors shows the last good content.
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
    // Drafts and warnings may change even if no response changes.
    await this.#read(event.diagnostics)
    if (isOther && isNews) this.#onBuilt()
  }

  async #read(warnings: readonly Diagnostic[]): Promise<void> {
    const { json, status } = await send('/_quarry/content', null)
    if (status !== 200) return
    const view = json as ContentView
    this.#root = view.root
    this.#workspaces = view.workspaces
      .filter(({ isV1Private }) => !isV1Private)
      .sort((one, other) => other.posts.length - one.posts.length)
      .map(({ id }) => id)
    this.clock.update(view)
    this.content.update(view, warnings)
  }

  #showBuilt({ milliseconds, diagnostics }: Extract<DevEvent, { type: 'built' }>): void {
    const warnings = diagnostics.length === 0 ? '' : `, ${counted(diagnostics.length, 'warning')}`
    this.#showState('built', 'Built', ` in ${duration(milliseconds)}${warnings}`)
  }

  #showErrors(errors: readonly Diagnostic[]): void {
    this.#overlay.open(errors, this.#root)
    const chip = button(
      counted(errors.length, 'error'),
      () => this.#overlay.show(errors, this.#root),
      {
        title: 'Show what is wrong',
      },
    )
    this.#chip.className = 'live broken'
    this.#chip.replaceChildren(chip)
  }

  /** @param more text for which a phone has no space */
  #showState(state: string, text: string, more = ''): void {
    this.#chip.className = `live ${state}`
    this.#chip.replaceChildren(element('span', {}, text, element('small', {}, more)))
  }
}

/** Milliseconds until the next attempt. */
const retryMilliseconds = 1000

/** Follows builds while the page is visible, because a browser limits the connections to a server. */
function followBuilds(onEvent: (event: DevEvent) => void, onLost: () => void): void {
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const close = () => {
    clearTimeout(timer)
    source?.close()
    source = null
  }
  const open = () => {
    close()
    source = new EventSource(`${baseUrl}/_quarry/events`)
    source.onmessage = ({ data }) => onEvent(JSON.parse(data))
    source.onerror = () => {
      onLost()
      close()
      // Browsers do not retry after some failures, so the page always retries itself.
      timer = setTimeout(open, retryMilliseconds)
    }
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') open()
    else close()
  })
  // A page in the background starts to follow when it becomes visible.
  if (document.visibilityState === 'visible') open()
}
