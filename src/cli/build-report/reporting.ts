// A report on its way: the build tells it what it does, and then it is written.
import type { BuildResult } from '../../build.ts'
import type { Settings } from '../../config.ts'
import { packageInfo } from '../package-info.ts'
import { Measures } from './measures.ts'
import { reportPage } from './page.ts'
import { defaultReportFile, reportPlace, writeReport } from './report-file.ts'

/** A report of a build that goes on. */
export interface Reporting {
  /** Receives every event of the build. */
  readonly measures: Measures
  /**
   * Writes the page.
   *
   * @param out as it is shown
   * @returns the file's absolute path
   */
  end(result: BuildResult, out: string): string
}

/**
 * Begins a report.
 *
 * @param place where it goes; true where nothing was said
 * @throws UseError for a wrong place, before a build has spent any time
 */
export function startReport(place: string | true, { content, out }: Settings): Reporting {
  const path = reportPlace(place === true ? defaultReportFile : place, [content, out])
  const measures = new Measures()
  return {
    measures,
    end: (result, shown) => {
      const versions = { quarry: packageInfo().version, node: process.versions.node }
      const madeAt = new Date().toISOString()
      writeReport(path, reportPage({ result, measures, out: shown, versions, madeAt }))
      return path
    },
  }
}
