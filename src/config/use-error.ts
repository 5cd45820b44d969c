// Wrong use: of a flag, a variable or the configuration.
// Knows nothing of what was used.

/** The configuration or a flag is wrong: what was expected and what was got. */
export class UseError extends Error {
  override readonly name = 'UseError'
}
