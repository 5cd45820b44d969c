// Programs of the system that tests run: installed where the machine lets us.
// Knows nothing of what they do.
import { execFileSync, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const installer = 'apt-get'

/**
 * Makes sure that a program is there, by apt-get if need be.
 *
 * @param name of the program
 * @param question that it answers when it is there
 * @param packages of Debian. @default that of its name
 * @returns null when there is one, else why there is none
 * @throws Error with that reason where `CI` is set: there nothing is skipped
 */
export function provideProgram(
  name: string,
  question = '--version',
  packages: readonly string[] = [name],
): string | null {
  if (isThere(name, question)) return null
  const reason = install(packages) ?? missing(name, question)
  if (reason !== null && process.env['CI']) throw new Error(`No ${name}: ${reason}`)
  // biome-ignore lint/suspicious/noConsole: a skipped test says why
  if (reason !== null) console.warn(`Tests with ${name} are skipped: ${reason}`)
  return reason
}

function isThere(name: string, question: string): boolean {
  return spawnSync(name, [question]).status === 0
}

function install(packages: readonly string[]): string | null {
  if (process.getuid?.() !== 0)
    return `only root may install it; try apt-get install ${packages.join(' ')}.`
  if (!isThere(installer, '--version')) return 'there is no apt-get to install it.'
  try {
    apt('update')
    apt('install', '-y', '--no-install-recommends', ...packages)
  } catch (error) {
    return `apt-get failed: ${error instanceof Error ? error.message : error}`
  }
  return null
}

function missing(name: string, question: string): string | null {
  return isThere(name, question) ? null : `apt-get installed no ${name} that runs.`
}

/** One at a time: test files run side by side, and apt-get fails where another one is at work. */
function apt(...words: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const turn = join(tmpdir(), 'quarry-test-apt.lock')
  const command = [installer, '-qq', '-o', 'DPkg::Lock::Timeout=60', ...words]
  execFileSync('flock', [turn, ...command], { env, stdio: 'pipe', timeout: 300_000 })
}
