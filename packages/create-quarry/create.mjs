#!/usr/bin/env node
// `npm create quarry FOLDER`: what `quarry init FOLDER` does, with the same flags.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const manifest = createRequire(import.meta.url).resolve('quarry/package.json')
const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
process.argv.splice(2, 0, 'init')
await import(new URL(bin.quarry, pathToFileURL(manifest)).href)
