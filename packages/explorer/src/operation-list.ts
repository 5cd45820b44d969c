// The list of operations: next to the form, or as a menu above it on small screens.
import { element } from './element.ts'
import { type ApiOperation, counterpart } from './operations.ts'
import { hashOf } from './request.ts'

/** The workspaces and the chosen one. */
export interface WorkspaceChoice {
  readonly all: readonly string[]
  readonly current: string
  readonly switchTo: (id: string) => void
  /** The slider of time; null for none. */
  readonly clock: HTMLElement | null
}

/** Returns the operations of the chosen operation's version, and links to the other versions. */
export function operationList(
  operations: readonly ApiOperation[],
  chosen: ApiOperation,
  workspaces: WorkspaceChoice,
): HTMLElement {
  const shown = operations.filter(({ version }) => version === chosen.version)
  return element(
    'nav',
    { class: 'operations', 'aria-label': 'Operations' },
    workspaceSwitch(workspaces, chosen),
    versionSwitch(operations, chosen),
    workspaces.clock,
    menu(shown, chosen),
    element(
      'div',
      { class: 'list' },
      groupsOf(shown).map((group) => groupOf(group, shown, chosen)),
    ),
  )
}

/** The state of the previous list that its replacement must restore. */
export interface ListState {
  /** Selector of the focused control; null without focus. */
  readonly control: string | null
  readonly scrollTop: number
}

/** Returns the state of a list before it is replaced; null without a list. */
export function listState(list: Element | null): ListState | null {
  if (list === null) return null
  const { activeElement } = document
  const control = Object.keys(controls).find(
    (selector) => list.contains(activeElement) && activeElement?.matches(selector),
  )
  return { control: control ?? null, scrollTop: list.scrollTop }
}

/** Restores the state of the previous list. */
export function restoreList(list: HTMLElement, state: ListState | null): void {
  if (state === null) return
  list.scrollTop = state.scrollTop
  const selector = controls[state.control ?? '']
  if (selector !== undefined) list.querySelector<HTMLElement>(selector)?.focus()
}

/** Selectors of controls, and of the control that gets the focus when the list is replaced. */
const controls: Readonly<Record<string, string>> = {
  '.list a': '.list [aria-current]',
  '.versions a': '.versions [aria-current]',
  '.menu': '.menu',
  '.workspaces': '.workspaces',
}

/** Returns a menu of workspaces if there are several. In v2 the key decides. */
function workspaceSwitch(
  { all, current, switchTo }: WorkspaceChoice,
  { needsKey }: ApiOperation,
): HTMLElement | null {
  if (all.length < 2 || needsKey) return null
  const select = element(
    'select',
    { class: 'workspaces', 'aria-label': 'Workspace' },
    [...new Set([...all, current])].map((id) => element('option', { value: id }, id)),
  )
  select.value = current
  select.addEventListener('change', () => switchTo(select.value))
  return select
}

function versionSwitch(operations: readonly ApiOperation[], chosen: ApiOperation): HTMLElement {
  const versions = [...new Set(operations.map(({ version }) => version))].sort()
  const links = versions.map((version) => {
    const to =
      counterpart(operations, chosen, version) ??
      operations.find((operation) => operation.version === version) ??
      chosen
    const isCurrent = version === chosen.version
    return element(
      'a',
      { href: addressOf(to), 'aria-current': isCurrent ? 'true' : null },
      version,
      element('small', {}, to.needsKey ? 'with a key' : 'by workspace'),
    )
  })
  return element('div', { class: 'versions', role: 'group', 'aria-label': 'Version' }, links)
}

function groupOf(group: string, shown: readonly ApiOperation[], chosen: ApiOperation): HTMLElement {
  const links = shown
    .filter((operation) => headingOf(operation) === group)
    .map((operation) =>
      element(
        'li',
        {},
        element(
          'a',
          {
            href: addressOf(operation),
            'aria-current': operation === chosen ? 'page' : null,
            title: `GET ${operation.template}`,
          },
          operation.summary,
        ),
      ),
    )
  return element('div', {}, element('h2', {}, group), element('ul', {}, links))
}

function menu(shown: readonly ApiOperation[], chosen: ApiOperation): HTMLElement {
  const select = element(
    'select',
    { class: 'menu', 'aria-label': 'Operation' },
    groupsOf(shown).map((group) =>
      element(
        'optgroup',
        { label: group },
        shown
          .filter((operation) => headingOf(operation) === group)
          .map(({ id, summary }) => element('option', { value: id }, summary)),
      ),
    ),
  )
  select.value = chosen.id
  select.addEventListener('change', () => {
    const to = shown.find(({ id }) => id === select.value)
    if (to !== undefined) location.hash = addressOf(to)
  })
  return select
}

function groupsOf(operations: readonly ApiOperation[]): readonly string[] {
  return [...new Set(operations.map(headingOf))]
}

/** Returns the heading of a group. Small groups share a heading, because `feed.xml` is not a word. */
function headingOf({ group }: ApiOperation): string {
  if (group.includes('.')) return 'Feeds and files'
  if (/^(collections|singletons)/.test(group)) return 'Collections'
  if (group === 'redirects' || group === 'changes') return 'Redirects and changes'
  return group.charAt(0).toUpperCase() + group.slice(1)
}

/** Returns an address without values. The page keeps the workspace. */
function addressOf({ id }: ApiOperation): string {
  return hashOf(id, {})
}
