// Programs of the system that tests run: installed where the machine lets us.
// Knows nothing of what they do.
import { execFileSync, spawnSync } from 'node:child_process'

/**
 * Makes sure that a program is there, by apt-get if need be.
 *
 * @param name of the program and of its package
 * @param question that it answers when it is there
 * @returns null when there is one, else why there is none
 * @throws Error with that reason where `CI` is set: there nothing is skipped
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
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=60']
  try {
    for (const words of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
      execFileSync('apt-get', [...options, ...words], { env, stdio: 'pipe', timeout: 180_000 })
    }
  } catch (error) {
    return `apt-get failed: ${error instanceof Error ? error.message : error}`
  }
  return null
}

function missing(name: string, question: string): string | null {
  return isThere(name, question) ? null : `apt-get installed no ${name} that runs.`
}
