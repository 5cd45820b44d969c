// JSON as a tree that folds. Folded nodes, and nodes far down a long list, are made when they are opened: a response of
// many megabytes costs no more than the visible part of it.
import { button, counted, element } from './element.ts'

/** Rows that are shown before anything is opened. */
const rowsShown = 1200
/** Items of a list, or members of an object, that are made at a time. */
const itemsAtOnce = 50
/** Characters of a text that are shown before it is opened. */
const charactersShown = 400

/** A tree of a parsed JSON value. */
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
  /** `posts[0].author`: tells buttons apart. Empty for the whole response. */
  readonly path: string
  readonly value: unknown
  readonly isLast: boolean
}

/** Counted down while rows are made: containers are folded from 0 on. */
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

/** The first of the members that are left, and a way to more. */
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
      // Opened by hand: the rows are wanted.
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
