// The error of keys that contradict each other or cannot be read.
// Knows no key: a message never holds one, nor any part of what looked like one.

/** The keys cannot be used: what was expected, and where. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError'
}
