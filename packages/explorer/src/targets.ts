// The targets of the palette: the latest requests, workspaces, operations, parameters and commands.

import type { ApiOperation } from './operations.ts'
import type { Target } from './palette.ts'
import type { Reference } from './reference.ts'
import { hashOf, readHash, requestPath } from './request.ts'
import { latestRequests } from './stored.ts'
import { turnTheme } from './theme.ts'

/** Returns all targets of the palette. @param rooms addresses of views by name */
export function targetsOf(
  reference: Reference,
  rooms: Readonly<Record<string, string>>,
): readonly Target[] {
  return [
    ...recent(reference),
    ...reference.workspaces.map((id) => ({
      kind: 'Workspace',
      label: id,
      detail: '',
      go: () => {
        focusMain()
        reference.switchTo(id)
      },
    })),
    ...openVersionFirst(reference).map(({ id, summary, template }) => ({
      kind: 'Operation',
      label: summary,
      detail: template,
      go: () => goTo(hashOf(id, {})),
    })),
    ...reference.parameters.map((name) => ({
      kind: 'Parameter',
      label: name,
      detail: '',
      go: () => reference.focus(name),
    })),
    ...Object.entries(rooms).map(([label, address]) => ({
      kind: 'Page',
      label,
      detail: '',
      go: () => goTo(address),
    })),
    ...[...document.querySelectorAll<HTMLElement>('.links a:not([hidden])')].map((link) => ({
      kind: 'Page',
      label: link.textContent,
      detail: '',
      go: () => link.click(),
    })),
    { kind: 'Command', label: 'Light or dark', detail: '', go: turnTheme },
  ]
}

/** Returns targets for posts, items and terms that contain a text. */
export async function foundTargets(reference: Reference, text: string): Promise<readonly Target[]> {
  return (await reference.find(text)).map(({ slug, title, name, kind, address }) => {
    return { kind, label: title ?? name ?? slug, detail: slug, go: () => goTo(address) }
  })
}

function openVersionFirst({ operations, version }: Reference): readonly ApiOperation[] {
  const isOpen = (operation: ApiOperation) => Number(operation.version === version)
  return operations.toSorted((one, other) => isOpen(other) - isOpen(one))
}

function recent({ operations, address }: Reference): readonly Target[] {
  const others = latestRequests().filter((hash) => hash !== address)
  return others.slice(0, 5).flatMap((hash) => {
    const { id, values } = readHash(hash)
    const operation = operations.find((known) => known.id === id)
    if (operation === undefined) return []
    const detail = requestPath(operation, values)
    return [{ kind: 'Recent', label: operation.summary, detail, go: () => goTo(hash) }]
  })
}

function goTo(address: string): void {
  focusMain()
  location.hash = address
}

/** Focuses the page, which then focuses the heading of the next view. */
function focusMain(): void {
  document.querySelector('main')?.focus()
}
