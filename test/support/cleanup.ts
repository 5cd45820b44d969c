// Removes the folders, servers and programs of tests when the tests end.
import { onTestFinished } from 'vitest'
import { getCurrentTest } from 'vitest/suite'

const ofFile: (() => unknown)[] = []

/** Runs a function when the current test has ended; outside a test, at the end of its file. */
export function atEnd(work: () => unknown): void {
  if (getCurrentTest() === undefined) atEndOfFile(work)
  else onTestFinished(async () => void (await work()))
}

export function atEndOfFile(work: () => unknown): void {
  ofFile.push(work)
}

/** Runs the functions for the end of a file, the last one first. */
export async function endOfFile(): Promise<void> {
  for (const work of ofFile.splice(0).reverse()) await work()
}
