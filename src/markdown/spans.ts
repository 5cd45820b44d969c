// Notes in the tree where each destination is written, down to its first and last character.
import type { Definition, Image, Link } from 'mdast'

/** Where a destination is written in a body: offsets of UTF-16 code units, without the `<` and `>` around it. */
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

/** The extension by which the parser notes where destinations are written. */
export const noteDestinations: {
  readonly enter: Readonly<Record<string, (this: unknown, token: unknown) => void>>
} = {
  enter: { resourceDestinationString: note, definitionDestinationString: note },
}

interface Token {
  readonly start: { readonly offset: number; readonly line: number; readonly column: number }
  readonly end: { readonly offset: number }
}

/** The part of the compiler's context that is used (mdast-util-from-markdown). */
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
  // The compiler does the same here.
  context.buffer()
}
