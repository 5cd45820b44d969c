// Formats and aggregates measurements.

/** Returns the median item by a number; undefined for no items. */
export function medianBy<T>(items: readonly T[], of: (item: T) => number): T | undefined {
  return items.toSorted((a, b) => of(a) - of(b))[Math.floor(items.length / 2)]
}

export function median(values: readonly number[]): number {
  return medianBy(values, (value) => value) ?? Number.NaN
}

export function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2)
}
