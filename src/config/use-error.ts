/** A flag, a variable or the configuration is wrong. The message says what was expected and what was given. */
export class UseError extends Error {
  override readonly name = 'UseError'
}
