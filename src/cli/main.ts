#!/usr/bin/env node
// The entry point of the command line.
import { codeOf } from '../build/disk.ts'
import { fail, runCommandLine } from './program.ts'

// A program such as `head` may close the output early, which is not an error. A full disk is one.
process.stdout.on('error', (error) => codeOf(error) !== 'EPIPE' && fail(error))
process.stderr.on('error', () => {})

await runCommandLine(process.argv)
