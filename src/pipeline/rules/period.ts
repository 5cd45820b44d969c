// The moments for which a stored value is true: between two publications.

/** Moments in milliseconds since 1970; null for always and for ever. */
export interface Period {
  readonly validFrom: number | null
  readonly validUntil: number | null
}

/** True from the first moment on, and until just before the last. */
export function isWithin(now: number, { validFrom, validUntil }: Period): boolean {
  return now >= (validFrom ?? -Infinity) && now < (validUntil ?? Infinity)
}
