// The abilities of the output: colours, moving progress, and how wide it is.

/** The abilities of a stream. */
export interface Terminal {
  /** Also true for moving progress. */
  readonly isInteractive: boolean
  /** Characters of a line; 80 where it is not known. */
  readonly columns: number
  readonly bold: Style
  readonly dim: Style
  readonly red: Style
  readonly yellow: Style
  readonly green: Style
  readonly cyan: Style
}

/** Wraps a text in a style, or leaves it as it is. */
export type Style = (text: string) => string

/** No colour and no moving progress where the output is no terminal, or with `NO_COLOR` or `CI`. */
export function terminalOf(
  environment: Readonly<Record<string, string | undefined>>,
  stream: { readonly isTTY?: boolean; readonly columns?: number },
): Terminal {
  const isPlain = Boolean(environment['NO_COLOR']) || Boolean(environment['CI'])
  const isInteractive = stream.isTTY === true && !isPlain && environment['TERM'] !== 'dumb'
  const style = (on: number, off: number): Style =>
    isInteractive ? (text) => `\u001b[${on}m${text}\u001b[${off}m` : (text) => text
  return {
    isInteractive,
    // A terminal that does not say its size says 0.
    columns: stream.columns || 80,
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    yellow: style(33, 39),
    green: style(32, 39),
    cyan: style(36, 39),
  }
}
