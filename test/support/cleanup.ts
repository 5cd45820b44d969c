// What tests leave behind is ended with them: folders, servers, programs.
import { onTestFinished } from 'vitest'
import { getCurrentTest } from 'vitest/suite'

const ofFile: (() => unknown)[] = []

/** Does some work when the current test has ended; outside of a test, at the end of its file. */
export function atEnd(work: () => unknown): void {
  if (getCurrentTest() === undefined) atEndOfFile(work)
  else onTestFinished(async () => void (await work()))
}

export function atEndOfFile(work: () => unknown): void {
  ofFile.push(work)
}

/** The last first. */
export async function endOfFile(): Promise<void> {
  for (const work of ofFile.splice(0).reverse()) await work()
}
