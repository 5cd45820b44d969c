// The shells that a completion script can be had for.

/** In the order of the documentation. */
export const shells = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof shells)[number]
