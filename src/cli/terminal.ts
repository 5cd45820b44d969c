// Capabilities of an output stream: colours, progress lines, and width.

/** Capabilities of a stream. */
export interface Terminal {
  /** True if colours and progress lines are allowed. */
  readonly isInteractive: boolean
  /** Columns; 80 if unknown. */
  readonly columns: number
  readonly bold: Style
  readonly dim: Style
  readonly red: Style
  readonly yellow: Style
  readonly green: Style
  readonly cyan: Style
}

/** Styles a text, or returns it unchanged. */
export type Style = (text: string) => string

/** Disables colours and progress lines if the output is not a terminal, or with `NO_COLOR` or `CI`. */
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
    // A terminal of unknown size reports 0.
    columns: stream.columns || 80,
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    yellow: style(33, 39),
    green: style(32, 39),
    cyan: style(36, 39),
  }
}
