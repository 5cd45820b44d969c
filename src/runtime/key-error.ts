// The error of conflicting or malformed keys. Its message never contains a key or a part of one.

/** The keys cannot be used; the message states the location and the expected form. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError'
}
