#!/usr/bin/env node
import { hideClearKeys } from '../api/clear-key.ts'
import { explainFailure } from './failures.ts'
// The entry point of the command line: runs a command, and maps its errors to a message and an exit code.
import { createProgram } from './program.ts'
import { terminalOf } from './terminal.ts'

// A reader such as `head` may close the output early; that is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const terminal = terminalOf(process.env, process.stderr)
try {
  await createProgram().parseAsync(process.argv)
} catch (error) {
  const { text, exitCode } = explainFailure(error, terminal)
  if (text !== '') process.stderr.write(`${hideClearKeys(text)}\n`)
  process.exitCode = exitCode
}
