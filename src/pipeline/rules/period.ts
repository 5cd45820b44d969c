// The validity of a stored value: the period between two publications.

/** Milliseconds since 1970; null for unbounded. */
export interface Period {
  readonly validFrom: number | null
  readonly validUntil: number | null
}

/** True from `validFrom`, inclusive, to `validUntil`, exclusive. */
export function isWithin(now: number, { validFrom, validUntil }: Period): boolean {
  return now >= (validFrom ?? -Infinity) && now < (validUntil ?? Infinity)
}
