// A build report in progress: collects measurements, then writes the page.
import type { BuildResult } from '../../build.ts'
import type { Settings } from '../../config.ts'
import { packageInfo } from '../package-info.ts'
import { Measures } from './measures.ts'
import { reportPage } from './page.ts'
import { defaultReportFile, reportPlace, writeReport } from './report-file.ts'

/** A report of a running build. */
export interface Reporting {
  /** Receives every event of the build. */
  readonly measures: Measures
  /**
   * Writes the page.
   *
   * @param out as printed
   * @returns the absolute path of the file
   */
  end(result: BuildResult, out: string): string
}

/**
 * Starts a report.
 *
 * @param place file of the report; true for the default one
 * @throws UseError for an invalid file, before the build
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
