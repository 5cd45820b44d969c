// The message and exit code of a failed command.
import { CommanderError } from 'commander'
import { UseError } from '../config.ts'
import { ContentFolderError } from '../content/tree.ts'
import { BuildError } from '../diagnostics.ts'
import { LockError } from '../emit/file-lock.ts'
import { OutputError } from '../emit/output-error.ts'
import { KeyringError } from '../runtime/keys.ts'
import { codeFrame, describeDiagnostics, harmless } from './report.ts'
import type { Terminal } from './terminal.ts'

/** Exit codes of every command. */
export const exitCodes = {
  done: 0,
  /** The content has errors; all were printed, nothing was written. */
  content: 1,
  /** Wrong usage or configuration. */
  use: 2,
  /** A bug in quarry. */
  internal: 70,
  /** Stopped by Ctrl+C, as shells report it. */
  stopped: 130,
} as const

/** A message and an exit code. */
export interface Failure {
  /** Empty if everything was printed already. */
  readonly text: string
  readonly exitCode: number
}

/** The user stopped the command. */
export class StoppedError extends Error {}

/** Describes any error of a command. */
export function explainFailure(error: unknown, terminal: Terminal): Failure {
  if (error instanceof BuildError) {
    return { text: describeDiagnostics(error.diagnostics, terminal), exitCode: exitCodes.content }
  }
  if (error instanceof CommanderError) {
    // Commander has printed its message; help and version exit with 0.
    return { text: '', exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.use }
  }
  const missing = missingPackage(error)
  if (missing !== null) {
    return { text: `${terminal.red('error:')} ${missing}`, exitCode: exitCodes.use }
  }
  if (error instanceof StoppedError) return { text: error.message, exitCode: exitCodes.stopped }
  const isUse = useErrors.some((kind) => error instanceof kind)
  if (isUse || isSystemError(error)) {
    const message = [sentence(messageOf(error)), ...nextStep(error)].join(' ')
    const text = message.split('\n').map(harmless).join('\n')
    const frame = error instanceof UseError && error.at ? codeFrame(error.at, terminal) : []
    const lines = [`${terminal.red('error:')} ${text}`, ...frame]
    return { text: lines.join('\n'), exitCode: exitCodes.use }
  }
  return { text: internalFault(error, terminal), exitCode: exitCodes.internal }
}

const useErrors = [UseError, ContentFolderError, OutputError, LockError, KeyringError]

const redisPackages = 'ioredis@6 rate-limiter-flexible@11'

/** The arguments of `npm install` for each optional package: the peer dependencies of quarry. */
const optionalPackages: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/sdk': '@modelcontextprotocol/sdk@1',
  ioredis: redisPackages,
  'rate-limiter-flexible': redisPackages,
}

/** Names the optional package that an import did not find; null for other errors. */
function missingPackage(error: unknown): string | null {
  const name = /^Cannot find package '([^']+)'/.exec(messageOf(error))?.[1] ?? ''
  const specs = Object.hasOwn(optionalPackages, name) ? optionalPackages[name] : undefined
  if (specs === undefined) return null
  return `This needs the package ${name}, which is not installed: npm install ${specs}`
}

/** Errors of the machine that its owner can fix: a port in use, a full disk, a read-only folder. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

/** Hints for errors without one. */
function nextStep(error: unknown): readonly string[] {
  if (error instanceof ContentFolderError) {
    return ['Make a project with npx quarry init my-site, or name another folder with --content.']
  }
  if (!isSystemError(error)) return []
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return ['Choose another with --port; 0 takes any that is free.']
  if (code === 'EACCES' && syscall === 'listen') return ['Choose a --port from 1024 on.']
  if (code === 'EADDRNOTAVAIL') return ['Choose an address of this machine with --host.']
  return []
}

function internalFault(error: unknown, terminal: Terminal): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return [
    `${terminal.red('internal error:')} This is a fault of quarry, not of your content.`,
    'Please report it with the lines below.',
    '',
    stack,
  ].join('\n')
}

/** Adds a full stop, which system errors lack. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
