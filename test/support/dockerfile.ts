// Runs the steps of a Dockerfile without Docker: each stage is a folder, and its base image is this machine.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fastGlob from 'fast-glob'

/** An instruction: its name in upper case, its flags such as `--from=build`, and the rest. */
interface Instruction {
  readonly name: string
  readonly flags: ReadonlyMap<string, string>
  readonly rest: string
}

/** A stage after its last step. */
export interface Stage {
  readonly name: string
  /** The folder in which the paths of the image are. */
  readonly folder: string
  /** Image or stage that it begins with. */
  readonly base: string
  readonly workingFolder: string
  readonly environment: Readonly<Record<string, string>>
  readonly user: string
  /** The process of a container: a program with arguments. */
  readonly command: readonly string[]
  /** The check of a container, in the same form; empty where there is none. */
  readonly healthCheck: readonly string[]
}

type OpenStage = { -readonly [Name in keyof Stage]: Stage[Name] }

/** Where the steps run. */
interface Place {
  /** The folder with Dockerfile and `.dockerignore`, from which `COPY` copies. */
  readonly context: string
  /** Folder for the folders of the stages. */
  readonly stages: string
  /** Environment of each `RUN`, beside that of the stage. */
  readonly environment: Readonly<Record<string, string>>
}

/**
 * Runs every step of a Dockerfile.
 *
 * @returns the stages in their order
 * @throws Error for an instruction or a flag that is not known here, and when a step fails
 *
 * Mounts of caches are left out: a step must work with an empty one.
 */
export function runDockerfile(place: Place): readonly Stage[] {
  const stages: OpenStage[] = []
  const args: Record<string, string> = {}
  for (const instruction of parse(readFileSync(join(place.context, 'Dockerfile'), 'utf8'))) {
    const { name, rest } = instruction
    const stage = stages.at(-1)
    if (name === 'ARG') Object.assign(args, pairs(rest))
    else if (name === 'FROM') stages.push(openStage(expand(rest, args), place.stages))
    else if (stage === undefined) throw new Error(`${name} comes before FROM`)
    else runStep(stage, instruction, place, stages)
  }
  return stages
}

/** Instructions with joined lines and without comments. */
function parse(text: string): readonly Instruction[] {
  const joined = text.replace(/^\s*#.*\n/gm, '').replace(/\\\n/g, ' ')
  return joined.split('\n').flatMap((line) => {
    const [, name = '', flags = '', rest = ''] = /^(\w+)((?:\s+--\S+)*)\s+(.+)$/.exec(line) ?? []
    if (name === '' && line.trim() !== '') throw new Error(`Not an instruction: ${line}`)
    return name === '' ? [] : [{ name: name.toUpperCase(), flags: flagsOf(flags), rest }]
  })
}

function flagsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/--([\w-]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

function pairs(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(/\s+/).map((pair) => /^([^=]+)=(.*)$/.exec(pair)?.slice(1, 3) ?? [pair, '']),
  )
}

function expand(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${name} has no value`)
    return value
  })
}

function openStage(from: string, stages: string): OpenStage {
  const [, base = '', name = ''] = /^(\S+) AS (\S+)$/.exec(from) ?? []
  const folder = join(stages, name)
  mkdirSync(folder, { recursive: true })
  const environment = {}
  const stage = { name, folder, base, workingFolder: '/', environment, user: 'root' }
  return { ...stage, command: [], healthCheck: [] }
}

function runStep(
  stage: OpenStage,
  { name, flags, rest }: Instruction,
  place: Place,
  stages: readonly Stage[],
): void {
  if (name === 'RUN') run(stage, flags, rest, place)
  else if (name === 'COPY') copy(stage, flags, rest.split(/\s+/), place, stages)
  else if (name === 'ENV') stage.environment = { ...stage.environment, ...pairs(rest) }
  else if (name === 'USER') stage.user = rest
  else if (name === 'CMD') stage.command = execForm(rest)
  else if (name === 'HEALTHCHECK') stage.healthCheck = execForm(rest.replace(/^CMD\s+/, ''))
  else if (name === 'WORKDIR') {
    stage.workingFolder = rest
    mkdirSync(pathIn(stage, rest), { recursive: true })
  } else if (name !== 'EXPOSE') throw new Error(`${name} is not known here`)
}

/** @throws SyntaxError for a command that a shell would have to run: no signal gets past it */
function execForm(text: string): readonly string[] {
  return JSON.parse(text)
}

function run(
  stage: Stage,
  flags: ReadonlyMap<string, string>,
  command: string,
  { environment }: Place,
): void {
  for (const [name, value] of flags) {
    if (name !== 'mount' || !value.startsWith('type=cache,'))
      throw new Error(`RUN --${name}=${value}`)
  }
  const { PATH, HOME } = process.env
  execFileSync('/bin/sh', ['-ec', command], {
    cwd: pathIn(stage, stage.workingFolder),
    env: { PATH, HOME, ...environment, ...stage.environment },
    stdio: 'pipe',
  })
}

/** Copies from the context, or from the folder of a stage. Folders give what they contain. */
function copy(
  stage: Stage,
  flags: ReadonlyMap<string, string>,
  words: readonly string[],
  { context }: Place,
  stages: readonly Stage[],
): void {
  const target = pathIn(stage, words.at(-1) ?? '')
  const isFolder = words.at(-1)?.endsWith('/') ?? false
  const from = flags.get('from')
  if (flags.size > (from === undefined ? 0 : 1)) throw new Error(`COPY ${[...flags.keys()]}`)
  const other = stages.find(({ name }) => name === from)
  if (from !== undefined && other === undefined) throw new Error(`There is no stage ${from}`)
  for (const word of words.slice(0, -1)) {
    if (other === undefined) copyContext(context, word, target)
    else copyPath(join(other.folder, word), target, isFolder)
  }
}

function copyPath(source: string, target: string, intoFolder: boolean): void {
  const isInto = intoFolder && !statSync(source).isDirectory()
  const path = isInto ? join(target, basename(source)) : target
  mkdirSync(dirname(path), { recursive: true })
  cpSync(source, path, { recursive: true, verbatimSymlinks: true })
}

/** @throws Error when a path without a wildcard is not in the context */
function copyContext(context: string, word: string, target: string): void {
  const ignored = readFileSync(join(context, '.dockerignore'), 'utf8').trim().split('\n')
  const ignore = ignored.flatMap((pattern) => [pattern, `${pattern}/**`])
  const files = fastGlob.sync(word === '.' ? '**' : word, { cwd: context, dot: true, ignore })
  if (files.length === 0 && !word.includes('*')) throw new Error(`The context has no ${word}`)
  for (const file of files) {
    const path = join(target, word === '.' ? file : basename(file))
    mkdirSync(dirname(path), { recursive: true })
    cpSync(join(context, file), path)
  }
}

/** Where a path of the image is on this machine. */
function pathIn({ folder, workingFolder }: Stage, path: string): string {
  return join(folder, path.startsWith('/') ? path : join(workingFolder, path))
}

/** Bytes of all files below a folder. */
export function folderBytes(folder: string): number {
  if (!existsSync(folder)) throw new Error(`There is no ${folder}`)
  const files = fastGlob.sync('**', {
    cwd: folder,
    dot: true,
    stats: true,
    followSymbolicLinks: false,
  })
  return files.reduce((bytes, { stats }) => bytes + (stats?.size ?? 0), 0)
}

/** Opens the folders of a stage to all users, as those of an image are. */
export function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
}
