// Steps of a compilation. A step runs again when the content of an input, or of an output, is another than after its
// last run. Dates do not count.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const folder = '.lib/steps'
const hashes = new Map()

/**
 * Runs a step unless nothing has changed.
 *
 * @param name of the step
 * @param inputs files that the step always reads; the installed packages and the scripts are always among them
 * @param run makes the outputs, and returns `{ inputs, outputs }`: the other files that it read, and all that it wrote
 * @returns what `run` returned now or the last time
 */
export async function step(name, inputs, run) {
  const file = join(folder, `${name}.json`)
  const last = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { inputs: [], outputs: [] }
  const all = [...inputs, ...always()]
  if (last.hash === hashOfStep(all, last)) return last
  // A run that fails leaves no record.
  rmSync(file, { force: true })
  hashes.clear()
  process.stdout.write(`compile: ${name}\n`)
  const made = withNames(await run())
  for (const path of last.outputs) if (!made.outputs.includes(path)) rmSync(path, { force: true })
  hashes.clear()
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify({ ...made, hash: hashOfStep(all, made) }))
  return made
}

/** Sorted. @param ending of the names, such as `.ts` */
export function filesBelow(folder, ending) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
    .sort()
}

/** @returns inputs and outputs of bundles by esbuild */
export function filesOf(results) {
  const names = (key) => results.flatMap(({ metafile }) => Object.keys(metafile[key]))
  return { inputs: names('inputs'), outputs: names('outputs') }
}

/** SHA-256 of names and contents, in hex. */
export function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`${path}\0${hashOfFile(path)}\0`)
  return hash.digest('hex')
}

function hashOfStep(always, { inputs, outputs }) {
  return hashOf([...always, ...inputs, '', ...outputs])
}

function hashOfFile(path) {
  if (!hashes.has(path)) {
    const bytes = existsSync(path) ? readFileSync(path) : ''
    hashes.set(path, createHash('sha256').update(bytes).digest('hex'))
  }
  return hashes.get(path)
}

function always() {
  const installed = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']
  return [...installed, ...filesBelow('.tools/compile', '.mjs')]
}

/** Names from the root of the repository, each once and sorted; of files that are there. */
function withNames({ inputs, outputs, ...rest }) {
  const names = (paths) => [...new Set(paths.map((path) => relative('.', path)))].sort()
  return {
    ...rest,
    inputs: names(inputs).filter((path) => existsSync(path)),
    outputs: names(outputs),
  }
}
