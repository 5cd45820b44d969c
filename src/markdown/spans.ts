// Records the exact source range of each destination in the tree.
import type { Definition, Image, Link } from 'mdast'

/** The range of a destination in a body, in UTF-16 code units, without the surrounding `<` and `>`. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
}

declare module 'mdast' {
  interface LinkData {
    destination?: Span
  }
  interface ImageData {
    destination?: Span
  }
  interface DefinitionData {
    destination?: Span
  }
}

/** The parser extension that records the ranges of destinations. */
export const noteDestinations: {
  readonly enter: Readonly<Record<string, (this: unknown, token: unknown) => void>>
} = {
  enter: { resourceDestinationString: note, definitionDestinationString: note },
}

interface Token {
  readonly start: { readonly offset: number; readonly line: number; readonly column: number }
  readonly end: { readonly offset: number }
}

/** The members of the compiler's context in use (mdast-util-from-markdown). */
interface Context {
  readonly stack: readonly unknown[]
  buffer(): void
}

function note(this: unknown, token: unknown): void {
  const context = this as Context
  const { start, end } = token as Token
  const node = context.stack.at(-1) as Link | Image | Definition
  const destination = {
    start: start.offset,
    end: end.offset,
    line: start.line,
    column: start.column,
  }
  node.data = { ...node.data, destination }
  // As in the compiler.
  context.buffer()
}
