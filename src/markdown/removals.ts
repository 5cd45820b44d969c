// Warnings about removed raw HTML: one per element and attribute, at its first position.
import { find, html } from 'property-information'
import type { Position } from '../diagnostics.ts'
import { type Problem, problemsMax } from './problem.ts'

interface Removal extends Position {
  readonly what: string
}

/** Collects the removals of a body. */
export class Removals {
  readonly #removals = new Map<string, Removal>()

  /** @param isStripped true when its content was removed too */
  addElement(tagName: string, isStripped: boolean, place: Position): void {
    const rest = isStripped ? 'with its content' : 'and its content is kept'
    this.#add(`The element <${shown(tagName)}> is left out, ${rest}.`, place)
  }

  /** @param property as named in the tree */
  addAttribute(property: string, place: Position): void {
    this.#add(`The attribute "${shown(find(html, property).attribute)}" is left out.`, place)
  }

  addMarkup(kind: keyof typeof markup, place: Position): void {
    this.#add(markup[kind], place)
  }

  /** In order of occurrence; a single warning when there are too many kinds to read. */
  problems(): readonly Problem[] {
    const all = [...this.#removals.values()]
    const [first] = all
    return first === undefined || all.length <= problemsMax
      ? all.map((removal) => problemOf(removal))
      : [problemOf(first, `So are ${all.length - 1} other elements and attributes.`)]
  }

  #add(what: string, { line, column }: Position): void {
    if (!this.#removals.has(what)) this.#removals.set(what, { what, line, column })
  }
}

const markup = {
  comment: 'A comment is not closed, and everything behind it is left out.',
  instruction: 'The instruction between "<?" and "?>" is left out.',
  section: 'The text between "<![CDATA[" and "]]>" is left out.',
  declaration: 'The declaration that begins with "<!" is left out.',
} as const

/** Names may have any length. */
function shown(name: string): string {
  return name.length <= 40 ? name : `${name.slice(0, 40)}…`
}

/** The same wording for every body, so that reports can group files by removal. */
function problemOf({ what, line, column }: Removal, more = ''): Problem {
  return {
    line,
    column,
    code: 'raw-html',
    severity: 'warning',
    message: `${what} ${more}`.trimEnd(),
    hint: 'Write it in Markdown, or with the elements and attributes that are kept.',
  }
}
