// The time at which `quarry dev` shows the site: now, or when a scheduled post appears.
import type { ContentView } from 'quarry'
import { element } from './element.ts'

/** A slider whose steps are future publications. It is hidden if there are none. */
export class Clock {
  readonly #range = element('input', { type: 'range', min: 0, id: 'clock', value: 0 })
  readonly #label = element('output', { for: 'clock' })
  readonly root: HTMLElement = element(
    'div',
    { class: 'clock', hidden: true },
    element('label', { for: 'clock' }, 'Time'),
    this.#label,
    this.#range,
  )
  #moments: readonly (readonly [publishedAt: string, title: string])[] = []
  /** The chosen time, ISO 8601; null for now. */
  time: string | null = null

  /** @param onChange called when another time is chosen */
  constructor(onChange: () => void) {
    this.#range.addEventListener('input', () => {
      this.set(this.#moments[Number(this.#range.value) - 1]?.[0] ?? null)
      onChange()
    })
  }

  /** Sets the schedule of the content. A time that is no longer in the schedule becomes now. */
  update({ workspaces, now = Date.now() }: ContentView): void {
    const start = new Date(now).toISOString()
    const posts = workspaces.flatMap(({ posts }) => posts).filter(({ isDraft }) => !isDraft)
    const ahead = posts.map(({ publishedAt, title }) => [publishedAt ?? '', title] as const)
    this.#moments = ahead.filter(([at]) => at > start).sort()
    this.#range.max = String(this.#moments.length)
    this.root.hidden = this.#moments.length === 0
    this.set(this.time)
  }

  /** Chooses a time of the schedule. */
  set(time: string | null): void {
    const at = this.#moments.findIndex(([moment]) => moment === time)
    const [moment = null, title = ''] = this.#moments[at] ?? []
    this.time = moment
    this.#range.value = String(at + 1)
    this.#label.textContent = moment === null ? 'now' : `${moment.slice(0, 10)}: ${title}`
    this.#range.setAttribute('aria-valuetext', this.#label.textContent)
  }
}
