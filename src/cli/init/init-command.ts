// `quarry init`: creates a project, and prints the next steps.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { holdsClearKey } from '../../api/clear-key.ts'
import { UseError } from '../../config.ts'
import { packageInfo } from '../package-info.ts'
import { type Terminal, terminalOf } from '../terminal.ts'
import { provideQuarry } from './dependency.ts'
import { namesFor, type ProjectNames } from './names.ts'
import { isFree, placeWhole, requireFree } from './place.ts'
import { promptForTemplate, withPrompts } from './prompts.ts'
import { type Dependency, projectFiles, type TemplateName, templateNames } from './templates.ts'

/** The flags of `quarry init`. */
export interface InitFlags {
  readonly template?: TemplateName
  /** Skips all prompts. */
  readonly yes?: boolean
}

/**
 * Creates a project in a folder. The result goes to stdout, prompts go to stderr.
 *
 * @param folder as given; without it, the working folder if that is empty, or else, on a terminal, a folder from a
 *   prompt
 */
export async function runInit(folder: string | undefined, flags: InitFlags): Promise<void> {
  const { target, template } = await readWishes(folder, flags)
  if (holdsClearKey(target)) throw new UseError('The name of the folder looks like an API key.')
  requireFree(target)
  const self = packageInfo()
  const names = namesFor(target, self.name)
  const dependency = await stoppable((signal) => make(target, template, names, signal))
  const terminal = terminalOf(process.env, process.stdout)
  process.stdout.write(`${describeProject(target, template, { names, dependency }, terminal)}\n`)
}

interface Wishes {
  /** Absolute. */
  readonly target: string
  readonly template: TemplateName
}

async function readWishes(folder: string | undefined, flags: InitFlags): Promise<Wishes> {
  const isAsking = flags.yes !== true && canPrompt()
  const isHere = folder === undefined && isFree(process.cwd())
  const guessed = {
    target: resolve(folder ?? '.'),
    template: flags.template ?? templateNames[0],
  }
  const isKnown = flags.template !== undefined && (folder !== undefined || isHere)
  if (!isAsking || isKnown) return guessed
  const { stdin, stderr } = process
  return withPrompts(stdin, stderr, async (prompt) => {
    const isPlaced = folder !== undefined || isHere
    const target = isPlaced ? guessed.target : resolve(await prompt('Folder', 'my-site'))
    // Reports existing files before the prompt for a template.
    requireFree(target)
    const write = (text: string) => void stderr.write(text)
    return { target, template: flags.template ?? (await promptForTemplate(prompt, write)) }
  })
}

function canPrompt(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && !process.env['CI']
}

async function make(
  target: string,
  template: TemplateName,
  names: ProjectNames,
  signal: AbortSignal,
): Promise<Dependency> {
  const self = packageInfo()
  let dependency: Dependency = { spec: '', tarball: null }
  await placeWhole(target, async (stage) => {
    dependency = await provideQuarry(self, stage, signal)
    const project = { names, dependency, self: self.name }
    for (const [path, text] of projectFiles(self.folder, template, project)) {
      const file = join(stage, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text, { flag: 'wx' })
    }
  })
  return dependency
}

/** Lets `work` clean up after Ctrl+C. */
async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const abort = () => stop.abort()
  process.once('SIGINT', abort)
  process.once('SIGTERM', abort)
  try {
    return await work(stop.signal)
  } finally {
    process.off('SIGINT', abort)
    process.off('SIGTERM', abort)
  }
}

function describeProject(
  target: string,
  template: TemplateName,
  { names, dependency }: { readonly names: ProjectNames; readonly dependency: Dependency },
  terminal: Terminal,
): string {
  const below = relative(process.cwd(), target)
  const place = below === '' ? 'in this folder' : below
  const steps = [...(below === '' ? [] : [`cd ${quoted(below)}`]), 'npm install', 'npm run dev']
  const source =
    dependency.tarball === null
      ? []
      : [
          `quarry is not on npm yet, so the project has its tarball, ${dependency.tarball}. Commit it, too.`,
        ]
  return [
    `${terminal.green('Created')} ${terminal.bold(place)} from the template ${template}, with the workspace "${names.workspace}".`,
    ...source,
    'Next:',
    ...steps.map((step) => `  ${terminal.cyan(step)}`),
  ].join('\n')
}

/** Quotes a word for a shell if necessary. */
function quoted(text: string): string {
  return /^[\p{L}\p{N}/._-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
