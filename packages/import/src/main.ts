#!/usr/bin/env node
// The entry point of the command quarry-import.
import { runImports } from './index.ts'

await runImports(process.argv.slice(2))
