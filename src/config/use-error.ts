// Wrong use: of a flag, a variable or the configuration.

/** The configuration or a flag is wrong: what was expected and what was got. */
export class UseError extends Error {
  override readonly name = 'UseError'
}
