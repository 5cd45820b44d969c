// Detects and redacts API keys in text that should contain only their hashes.

/**
 * Returns the offsets of everything in a text that looks like an API key, ascending.
 *
 * A prefix of a key counts from 16 characters after `qk_`: that much of it makes the rest easier to guess.
 */
export function findClearKeys(text: string): readonly number[] {
  return Array.from(text.matchAll(/qk_[0-9A-Za-z]{16,}/g), (match) => match.index)
}

/** Reports whether a text contains something that looks like an API key. */
export function holdsClearKey(text: string): boolean {
  return findClearKeys(text).length > 0
}

/** Truncates every key in a text, percent-encoded keys included, for messages and logs. */
export function hideClearKeys(text: string): string {
  return text.replace(/qk(?:_|%5f)[0-9A-Za-z%]{16,}/gi, 'qk_…')
}
