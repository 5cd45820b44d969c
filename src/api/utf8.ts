// Text as bytes.
// Knows nothing of what the text says.

/** A text in UTF-8; half surrogates become U+FFFD. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

const encoder = new TextEncoder()
