// Finds and hides API keys that are in a text in clear, where only their hashes belong.

/**
 * Offsets of everything in a text that looks like a key, ascending.
 *
 * Also a part of a key, from 16 characters behind `qk_` on: that much of it helps somebody to guess the rest.
 */
export function findClearKeys(text: string): readonly number[] {
  return Array.from(text.matchAll(/qk_[0-9A-Za-z]{16,}/g), (match) => match.index)
}

/** True when something in a text looks like a key in clear. */
export function holdsClearKey(text: string): boolean {
  return findClearKeys(text).length > 0
}

/** A text with every key in it cut short, those too that are percent-encoded: for messages and logs. */
export function hideClearKeys(text: string): string {
  return text.replace(/qk(?:_|%5f)[0-9A-Za-z%]{16,}/gi, 'qk_…')
}
