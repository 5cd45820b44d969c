// How many cases a property or a sweep tries. The projects `long` and `cases` set
// `QUARRY_CASES=all` for all of them.

/** True where tests try every case. */
export const hasAllCases: boolean = process.env['QUARRY_CASES'] === 'all'

/**
 * The cases to try.
 *
 * @param all of the projects `long` and `cases`
 * @param few of the short project; default: a tenth, but 100 or all of them where that is less
 */
export function caseCount(all: number, few: number = Math.max(100, Math.ceil(all / 10))): number {
  return hasAllCases ? all : Math.min(few, all)
}
