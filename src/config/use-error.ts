/** The line of a file that an error is about. */
export interface ErrorLine {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units. */
  readonly column: number
  readonly lineText: string
}

/** A flag, a variable or the configuration is wrong. The message says what was expected and what was given. */
export class UseError extends Error {
  override readonly name = 'UseError'
  /** Shown below the message; undefined for none. */
  readonly at: ErrorLine | undefined

  constructor(message: string, at?: ErrorLine | undefined) {
    super(message)
    this.at = at
  }
}
