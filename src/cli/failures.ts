// The message and exit code of a failed command.
import { CommanderError } from 'commander'
import { OutputError } from '../build/disk.ts'
import { LockError } from '../build/lock.ts'
import { ContentFolderError } from '../content/entries.ts'
import { BuildError, UseError } from '../diagnostics.ts'
import { KeyringError } from '../runtime/keys.ts'
import { codeFrame, describeDiagnostics } from './report.ts'
import { harmless, type Terminal } from './terminal.ts'

/** Exit codes of every command. */
export const exitCodes = {
  done: 0,
  /** The content has errors; all were printed, nothing was written. */
  content: 1,
  /** Wrong usage or configuration. */
  use: 2,
  /** A bug in quarry. */
  internal: 70,
} as const

/** Describes any error of a command; the text is empty if everything was printed already. */
export function explainFailure(
  error: unknown,
  terminal: Terminal,
): { readonly text: string; readonly exitCode: number } {
  if (error instanceof BuildError) {
    return { text: describeDiagnostics(error.diagnostics, terminal), exitCode: exitCodes.content }
  }
  if (error instanceof CommanderError) {
    // Commander has printed its message; help and version exit with 0.
    return { text: '', exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.use }
  }
  const message = useMessage(error)
  if (message === null) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const text = `${terminal.red('internal error:')} This is a bug in quarry, not a fault of your content.\nPlease report it with the lines below.\n\n${stack}`
    return { text, exitCode: exitCodes.internal }
  }
  const text = message.split('\n').map(harmless).join('\n')
  const frame = error instanceof UseError && error.at ? codeFrame(error.at, terminal) : []
  const lines = [`${terminal.red('error:')} ${text}`, ...frame]
  return { text: lines.join('\n'), exitCode: exitCodes.use }
}

const useErrors = [UseError, ContentFolderError, OutputError, LockError, KeyringError]

const redisPackages = 'ioredis@6 rate-limiter-flexible@11'

/** The arguments of `npm install` for each optional package: the peer dependencies of quarry. */
const optionalPackages = new Map([
  ['@modelcontextprotocol/sdk', '@modelcontextprotocol/sdk@1'],
  ['ioredis', redisPackages],
  ['rate-limiter-flexible', redisPackages],
  ['remark-math', 'remark-math@6'],
])

/** The message for an error that the user can fix; null for a bug. */
function useMessage(error: unknown): string | null {
  const message = error instanceof Error ? error.message : String(error)
  const missing = /^Cannot find package '([^']+)'/.exec(message)?.[1] ?? ''
  const packages = optionalPackages.get(missing)
  if (packages !== undefined) {
    return `This needs the package ${missing}, which is not installed: npm install ${packages}`
  }
  const isUse = useErrors.some((kind) => error instanceof kind) || isSystemError(error)
  if (!isUse) return null
  // System errors have no full stop.
  return `${message}${/[.!?]$/.test(message) ? '' : '.'}${nextStep(error)}`
}

/** Errors of the machine that its owner can fix: a port in use, a full disk, a read-only folder. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

/** A hint for an error without one. */
function nextStep(error: unknown): string {
  if (error instanceof ContentFolderError)
    return ' Create a project with npx quarry init my-site, or name another folder with --content.'
  return (isSystemError(error) && error.syscall === 'listen' && hints[error.code ?? '']) || ''
}

const hints: Readonly<Record<string, string>> = {
  EADDRINUSE: ' Choose another with --port; 0 takes any that is free.',
  EACCES: ' Choose a --port of 1024 or above.',
  EADDRNOTAVAIL: ' Choose an address of this machine with --host.',
}
