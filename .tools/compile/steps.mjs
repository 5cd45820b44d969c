// Steps of a compilation. A step runs again when the content of an input, or of an output, is another than after its
// last run. Dates do not count.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'

const folder = '.lib/steps'
const hashes = new Map()

/**
 * Runs a step unless nothing has changed. A run that fails, or whose inputs change meanwhile, leaves no record, so the
 * step runs again.
 *
 * @param name of the step
 * @param inputs files that the step always reads; the installed packages and the scripts are always among them
 * @param run makes the outputs, and returns `{ inputs, outputs }`: the other files that it read, and all that it wrote.
 *   It is told whether the outputs of the last run are as they were written
 * @param key text on which the outputs depend, too
 * @returns what `run` returned now or the last time
 */
export async function step(name, inputs, run, key = '') {
  const file = join(folder, `${name}.json`)
  const last = readRecord(file)
  const all = [...inputs, ...always()]
  const before = hashOf(all)
  const areOutputsIntact = last.outputHash === hashOf(last.outputs)
  if (areOutputsIntact && last.hash === hashOf([...all, ...last.inputs], key)) return last
  rmSync(file, { force: true })
  process.stdout.write(`compile: ${name}\n`)
  const started = performance.timeOrigin + performance.now()
  const made = withNames(await run(areOutputsIntact))
  for (const path of last.outputs) if (!made.outputs.includes(path)) rmSync(path, { force: true })
  hashes.clear()
  // The hashes of inputs that only the run names are not known from before.
  const isNewer = (path) => existsSync(path) && statSync(path).mtimeMs > started
  if (hashOf(all) !== before || made.inputs.some(isNewer)) {
    process.stdout.write(`compile: a file changed while ${name} ran; run it again\n`)
    return made
  }
  mkdirSync(folder, { recursive: true })
  const record = {
    ...made,
    hash: hashOf([...all, ...made.inputs], key),
    outputHash: hashOf(made.outputs),
  }
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(record))
  renameSync(`${file}.${process.pid}`, file)
  return made
}

/** The record of the last run; empty when there is none, or it is damaged. */
function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { inputs: [], outputs: [] }
  }
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

/** SHA-256 of names and contents, in hex. @param key hashed with them */
export function hashOf(paths, key = '') {
  const hash = createHash('sha256').update(`${key}\0`)
  for (const path of paths) hash.update(`${path}\0${hashOfFile(path)}\0`)
  return hash.digest('hex')
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
  // esbuild reads them, and does not report them.
  const settings = ['tsconfig.json', 'src/explorer/browser/tsconfig.json']
  return [...installed, ...settings, ...filesBelow('.tools/compile', '.mjs')]
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
