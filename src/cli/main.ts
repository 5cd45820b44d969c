#!/usr/bin/env node
// The entry point of the command line.
import { runCommandLine } from './program.ts'

// A program such as `head` may close the output early, which is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

await runCommandLine(process.argv)
