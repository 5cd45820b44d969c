#!/usr/bin/env node
import { hideClearKeys } from '../api/clear-key.ts'
import { explainFailure } from './failures.ts'
// The command line: hands the words to a command, and turns what it throws into a message and an exit code.
import { createProgram } from './program.ts'
import { terminalOf } from './terminal.ts'

// A reader may close the output before its end, as `head` does: that is no fault.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const terminal = terminalOf(process.env, process.stderr)
try {
  await createProgram().parseAsync(process.argv)
} catch (error) {
  const { text, exitCode } = explainFailure(error, terminal)
  if (text !== '') process.stderr.write(`${hideClearKeys(text)}\n`)
  process.exitCode = exitCode
}
