// Digests of stored JSON.

/** Length of a digest in bytes: 128 bits of a SHA-256 do not collide by accident. */
export const digestBytes = 16
