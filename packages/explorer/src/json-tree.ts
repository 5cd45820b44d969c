// JSON as a tree with folded nodes. Folded nodes, and later nodes of a long list, are made when they are opened, so a
// response of many megabytes costs only its visible part.
import { button, counted, element } from './element.ts'

/** Number of rows that are shown at first. */
const rowsShown = 1200
/** Number of items of a list, or members of an object, that are made at a time. */
const itemsAtOnce = 50
/** Number of characters of a text that are shown at first. */
const charactersShown = 400

/** Returns a tree of a parsed JSON value. */
export function jsonTree(value: unknown): HTMLElement {
  const budget = { rows: rowsShown }
  return element(
    'div',
    { class: 'json' },
    ...nodesOf({ key: null, path: '', value, isLast: true }, budget),
  )
}

interface Member {
  readonly key: string | null
  /** Path such as `posts[0].author`, for the labels of buttons. Empty for the whole response. */
  readonly path: string
  readonly value: unknown
  readonly isLast: boolean
}

/** Number of rows that may still be made. At 0, containers are folded. */
interface Budget {
  rows: number
}

function nodesOf(member: Member, budget: Budget): readonly HTMLElement[] {
  budget.rows -= 1
  const { value } = member
  if (typeof value !== 'object' || value === null) {
    return [row(keyOf(member), scalar(member), comma(member))]
  }
  const members = membersOf(value, member.path)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (members.length === 0) return [row(keyOf(member), mark(open + close), comma(member))]
  return container(member, members, { open, close }, budget)
}

function container(
  member: Member,
  members: readonly Member[],
  { open, close }: { readonly open: string; readonly close: string },
  budget: Budget,
): readonly HTMLElement[] {
  const inside = element('div', { class: 'inside' })
  const noun = open === '[' ? 'item' : 'key'
  const sum = element('span', { class: 'sum' }, `${counted(members.length, noun)} ${close}`)
  const fold = button('', () => turn(fold.getAttribute('aria-expanded') === 'false'), {
    class: 'fold',
    'aria-label': `${member.path || 'The response'}, ${counted(members.length, noun)}`,
  })
  const first = row(fold, keyOf(member), mark(open), sum)
  const last = row(mark(close), comma(member))
  const turn = (isOpen: boolean) => {
    if (isOpen && inside.childElementCount === 0) fill(inside, member.path, members, budget)
    fold.setAttribute('aria-expanded', String(isOpen))
    inside.hidden = !isOpen
    last.hidden = !isOpen
    sum.hidden = isOpen
  }
  turn(budget.rows > 0)
  return [first, inside, last]
}

/** Adds the next members, and a button for the remaining ones. */
function fill(inside: HTMLElement, path: string, members: readonly Member[], budget: Budget): void {
  inside.append(...members.slice(0, itemsAtOnce).flatMap((member) => nodesOf(member, budget)))
  const left = members.length - itemsAtOnce
  if (left <= 0) return
  const label =
    left > itemsAtOnce ? `${itemsAtOnce} more of ${left.toLocaleString('en')}` : `${left} more`
  const more = button(
    label,
    () => {
      more.remove()
      // The user asked for these rows.
      fill(inside, path, members.slice(itemsAtOnce), { rows: rowsShown })
      const [next] = [...inside.querySelectorAll<HTMLElement>('.more')].slice(-1)
      next?.focus()
    },
    { class: 'more', 'aria-label': `${label} of ${path || 'the response'}` },
  )
  inside.append(more)
}

function membersOf(value: object, path: string): readonly Member[] {
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  return entries.map(([key, inner], index) => ({
    key: isList ? null : key,
    path: isList ? `${path}[${key}]` : `${path}${path === '' ? '' : '.'}${key}`,
    value: inner,
    isLast: index === entries.length - 1,
  }))
}

function row(...children: readonly (Node | null)[]): HTMLElement {
  return element('div', { class: 'row' }, children)
}

function keyOf({ key }: Member): Node | null {
  if (key === null) return null
  return element('span', {}, element('span', { class: 'key' }, JSON.stringify(key)), ': ')
}

function comma({ isLast }: Member): Node | null {
  return isLast ? null : mark(',')
}

function mark(text: string): HTMLElement {
  return element('span', { class: 'mark' }, text)
}

function scalar({ value, path }: Member): HTMLElement {
  if (typeof value !== 'string') {
    return element('span', { class: value === null ? 'null' : typeof value }, String(value))
  }
  const text = JSON.stringify(value)
  if (text.length <= charactersShown * 1.5) return element('span', { class: 'string' }, text)
  return longText(text, path)
}

function longText(text: string, path: string): HTMLElement {
  const left = (text.length - charactersShown).toLocaleString('en')
  const shown = element('span', { class: 'string' }, text.slice(0, charactersShown))
  const label = `… ${left} more characters`
  const more = button(
    label,
    () => {
      shown.textContent = text
      more.remove()
    },
    { class: 'more', 'aria-label': `${label} of ${path}` },
  )
  return element('span', {}, shown, more)
}
