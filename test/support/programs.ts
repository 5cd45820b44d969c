// System programs that tests run. They are installed if the machine allows it.
import { execFileSync, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const installer = 'apt-get'

/**
 * Installs the Debian package of a program with apt-get if the program is missing.
 *
 * @param name name of the program and of its package
 * @param question argument with which an installed program succeeds
 * @returns null if the program is available, otherwise the reason why it is not
 * @throws Error with that reason if `CI` is set, because no test is skipped there
 */
export function provideProgram(name: string, question = '--version'): string | null {
  if (isThere(name, question)) return null
  const reason = install(name) ?? missing(name, question)
  if (reason !== null && process.env['CI']) throw new Error(`No ${name}: ${reason}`)
  // biome-ignore lint/suspicious/noConsole: a skipped test says why
  if (reason !== null) console.warn(`Tests with ${name} are skipped: ${reason}`)
  return reason
}

function isThere(name: string, question: string): boolean {
  return spawnSync(name, [question]).status === 0
}

function install(name: string): string | null {
  if (process.getuid?.() !== 0) return `only root may install it; try apt-get install ${name}.`
  if (!isThere(installer, '--version')) return 'there is no apt-get to install it.'
  try {
    apt('update')
    apt('install', '-y', '--no-install-recommends', name)
  } catch (error) {
    return `apt-get failed: ${error instanceof Error ? error.message : error}`
  }
  return null
}

function missing(name: string, question: string): string | null {
  return isThere(name, question) ? null : `apt-get installed no ${name} that runs.`
}

/** Runs apt-get under a lock: test files run in parallel, and apt-get fails if another one is running. */
function apt(...words: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const turn = join(tmpdir(), 'quarry-test-apt.lock')
  const command = [installer, '-qq', '-o', 'DPkg::Lock::Timeout=60', ...words]
  execFileSync('flock', [turn, ...command], { env, stdio: 'pipe', timeout: 300_000 })
}
