// Follows the builds of `quarry dev`, and comes back by itself when the server does.
import type { DevEvent } from 'quarry'
import { baseUrl } from './send.ts'

/** Callbacks for events. */
export interface Follower {
  onEvent(event: DevEvent): void
  /** No event can come: the server is gone. */
  onLost(): void
}

/** Milliseconds until the next try. */
const retryMilliseconds = 1000

/** Follows as long as the page is seen: a browser has few connections for one server. */
export function followBuilds(follower: Follower): void {
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
    source.onmessage = ({ data }) => follower.onEvent(JSON.parse(data))
    source.onerror = () => {
      follower.onLost()
      close()
      // Browsers give up for good on some failures: every retry is ours.
      timer = setTimeout(open, retryMilliseconds)
    }
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') open()
    else close()
  })
  // A page in the background follows when it is looked at.
  if (document.visibilityState === 'visible') open()
}
