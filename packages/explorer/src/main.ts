// Starts the page: reads the data of its site, and opens the view that its URL names.
import type { PageSite } from 'quarry'
import { DevSide } from './dev.ts'
import { element } from './element.ts'
import { KeyStore } from './key-store.ts'
import type { OpenApi } from './operations.ts'
import { Palette } from './palette.ts'
import { Reference } from './reference.ts'
import { readHash } from './request.ts'
import { type Send, send, sendToFunction } from './send.ts'
import { foundTargets, targetsOf } from './targets.ts'
import { themeButton } from './theme.ts'

const contentHash = '#/content'

void start(find('main')).catch((error: unknown) => {
  const text = `The API description, openapi.json, cannot be read. ${String(error)}`
  find('main').replaceChildren(element('p', { class: 'empty bad', role: 'alert' }, text))
})

async function start(main: HTMLElement): Promise<void> {
  const site: PageSite = JSON.parse(find('site').textContent)
  const docs = find('docs') as HTMLAnchorElement
  docs.hidden = docs.getAttribute('href') === ''
  find('skip').addEventListener('click', () => main.focus())
  const { json, status, headers } = await send('/openapi.json', null)
  if (status !== 200 || json === undefined) throw new Error(`The status is ${status}.`)
  // Every response of a function has a request id.
  const isFile = !headers.some(([name]) => name === 'x-request-id')
  const sendNow = site.browser && isFile ? sendToFunction() : send
  const sendAt: Send = (path, key, signal) => {
    const time = path.startsWith('/v') ? dev?.clock.time : null
    return sendNow(`${time ? `/_quarry/at/${time}` : ''}${path}`, key, signal)
  }
  const reference: Reference = new Reference({
    send: sendAt,
    canSearch: site.browser === true || !isFile,
    clock: () => dev?.clock ?? null,
    document: json as OpenApi,
    keys: new KeyStore(),
    workspaces: () => dev?.workspaces ?? site.workspaces,
    isDev: site.mode === 'dev',
    own: site.own ?? {},
  })
  const dev =
    site.mode === 'dev'
      ? new DevSide(site.workspaces, find('live'), () => reference.refresh())
      : null
  const rooms = { Reference: '#/', ...(dev === null ? {} : { Content: contentHash }) }
  const palette = new Palette(
    () => targetsOf(reference, rooms),
    (text) => foundTargets(reference, text),
  )
  const keys = keysDialog()
  document.body.append(palette.root, keys)
  document.addEventListener('keydown', (event) => {
    const isTyped = (event.target as HTMLElement).matches('input, select, textarea')
    if (isTyped || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return
    if (event.key === '?') keys.showModal()
    else if (event.key !== '/') return
    else if (!main.contains(reference.root) || !reference.focus('query')) palette.open()
    event.preventDefault()
  })
  find('tools').replaceChildren(palette.button, themeButton())
  const go = () => {
    const isContent = dev !== null && location.hash === contentHash
    showRooms(dev !== null, isContent, reference.address)
    const view = isContent ? dev.content.root : reference.root
    // Elements that are inserted again lose the focus and their scroll positions.
    if (view.parentElement !== main) main.replaceChildren(view)
    if (isContent) document.title = 'Content · quarry dev'
    else {
      const { id, values } = readHash(location.hash)
      reference.open(id, values)
    }
    if (document.activeElement === main) main.querySelector('h1')?.focus()
  }
  window.addEventListener('hashchange', () => {
    go()
    scrollTo(0, 0)
  })
  go()
}

/** Returns the dialog with the keyboard shortcuts, for `?`. */
function keysDialog(): HTMLDialogElement {
  const rows = [
    ['/', 'Search posts or items'],
    ['Ctrl K', 'Jump to a post, an operation, a parameter …'],
    ['Enter', 'Send the request, in any field'],
    ['← →', 'Change the tab of the response'],
  ].map(([key = '', text = '']) =>
    element('li', {}, element('kbd', {}, key), element('span', {}, text)),
  )
  return element(
    'dialog',
    { class: 'palette keys', 'aria-labelledby': 'keys' },
    element('h2', { id: 'keys', tabindex: -1, autofocus: true }, 'Keys'),
    element('ul', {}, rows),
  )
}

function showRooms(isDev: boolean, isContent: boolean, address: string): void {
  if (!isDev) return
  const room = (href: string, label: string, isCurrent: boolean) =>
    element('a', { href, 'aria-current': isCurrent ? 'page' : null }, label)
  find('rooms').replaceChildren(
    room(address || '#/', 'Reference', !isContent),
    room(contentHash, 'Content', isContent),
  )
}

function find(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}
