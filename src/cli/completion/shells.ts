// The shells that a completion script can be had for.
// Knows nothing of the scripts.

/** In the order of the documentation. */
export const shells = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof shells)[number]
