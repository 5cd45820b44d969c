// The list of operations: next to the form where there is room, one menu above it where there is not.
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

/** The operations of the chosen one's version, and the way to the other versions. */
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

/** The list before this one, as far as it is not in the list itself. */
export interface ListState {
  /** The focused control; null without one. */
  readonly control: string | null
  readonly scrollTop: number
}

/** The state of a list that is about to be replaced; null without one. */
export function listState(list: Element | null): ListState | null {
  if (list === null) return null
  const { activeElement } = document
  const control = Object.keys(controls).find(
    (selector) => list.contains(activeElement) && activeElement?.matches(selector),
  )
  return { control: control ?? null, scrollTop: list.scrollTop }
}

/** Gives the state of the list before it to a list. */
export function restoreList(list: HTMLElement, state: ListState | null): void {
  if (state === null) return
  list.scrollTop = state.scrollTop
  const selector = controls[state.control ?? '']
  if (selector !== undefined) list.querySelector<HTMLElement>(selector)?.focus()
}

/** The controls of a list, and which of their kind has the focus once the list is replaced. */
const controls: Readonly<Record<string, string>> = {
  '.list a': '.list [aria-current]',
  '.versions a': '.versions [aria-current]',
  '.menu': '.menu',
  '.workspaces': '.workspaces',
}

/** A menu where there is a choice; under v2 the key says which workspace it is. */
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

/** Small groups have one heading: `feed.xml` is no word. */
function headingOf({ group }: ApiOperation): string {
  if (group.includes('.')) return 'Feeds and files'
  if (/^(collections|singletons)/.test(group)) return 'Collections'
  if (group === 'redirects' || group === 'changes') return 'Redirects and changes'
  return group.charAt(0).toUpperCase() + group.slice(1)
}

/** Without values: the workspace is remembered. */
function addressOf({ id }: ApiOperation): string {
  return hashOf(id, {})
}
