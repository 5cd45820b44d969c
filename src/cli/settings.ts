// Settings from flags, environment variables and the configuration. An invalid value is an error.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { InvalidArgumentError } from 'commander'
import { parseDate } from '../api/dates.ts'
import type { HostName } from '../config/names.ts'
import {
  loadConfig,
  type QuarryConfig,
  resolveSettings,
  type Settings,
  UseError,
} from '../config.ts'
import { baseUrlProblem } from '../model/destinations.ts'

/** Flags that several commands share. */
export interface CommonFlags {
  readonly content?: string
  readonly cache?: string
  readonly out?: string
  readonly config?: string
  readonly host?: string
  readonly port?: number
  /** Host to prepare a deployment for. */
  readonly for?: HostName
}

type SettingName = 'content' | 'config' | 'cache' | 'out' | 'host' | 'port' | 'baseUrl' | 'workers'

/** Parsers of settings that have a variable. The name of a variable is that of its setting: `QUARRY_BASE_URL`. */
export const settingParsers: Readonly<Record<SettingName, (value: string) => unknown>> = {
  content: parseText,
  config: parseText,
  cache: parseText,
  out: parseText,
  host: parseText,
  port: parseNumber(0, 65_535),
  baseUrl: parseBaseUrl,
  workers: parseNumber(1, 256),
}

/** Reads the settings of a command. Precedence: flags, environment, configuration file, defaults. */
export async function readSettings(flags: CommonFlags): Promise<Settings> {
  const variables = Object.entries(settingParsers).map(([name, parse]) => [
    name,
    readVariable(`QUARRY_${name.replace('U', '_U').toUpperCase()}`, parse),
  ])
  const { config, ...fromEnvironment }: QuarryConfig & { readonly config?: string } =
    Object.fromEntries(variables)
  const file = await loadConfig(process.cwd(), flags.config ?? config)
  const { content, cache, out, host, port, for: platform } = flags
  return resolveSettings({ content, cache, out, host, port, platform }, fromEnvironment, file)
}

/** Reads a variable; undefined if it is empty or unset. @throws UseError with its name and the reason of `parse` */
export function readVariable<T>(name: string, parse: (value: string) => T): T | undefined {
  const value = process.env[name]
  if (!value) return undefined
  try {
    return parse(value)
  } catch (error) {
    throw new UseError(`${name} is ${JSON.stringify(value)}. ${messageOf(error)}`)
  }
}

/** Reads the key from stdin, or else from QUARRY_KEY. In a flag, it would be in process lists and shell histories. */
export async function readApiKey(flags: { readonly keyStdin?: boolean }): Promise<string | null> {
  if (flags.keyStdin !== true) return process.env['QUARRY_KEY']?.trim() || null
  if (process.stdin.isTTY) process.stderr.write('API key, then Enter and Ctrl+D: ')
  const key = (await readText(process.stdin)).trim()
  if (key === '') throw new UseError('There is no key on stdin. Send the key alone on one line.')
  return key
}

/** Parses a value that must not be empty: `--out=` would be the working folder. */
export function parseText(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return value
}

/** Returns a parser of whole decimal numbers. */
export function parseNumber(min: number, max?: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= (max ?? number)) return number
    const to = max === undefined ? '' : ` to ${max}`
    throw new InvalidArgumentError(`It must be a number from ${min}${to}.`)
  }
}

/** Parses an HTTP URL. */
export function parseAddress(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '') return url
  throw new InvalidArgumentError('It must be an address such as https://content.example.com.')
}

/** Parses the URL of a root, or of its folder, which ends in `/`. */
export function parseSiteUrl(value: string): string {
  const { pathname, href } = parseAddress(value)
  if (/(?:\/|\.json)$/.test(pathname)) return href
  throw new InvalidArgumentError('It must end in / or name a root, such as root.json.')
}

/** Parses an ISO 8601 time, as milliseconds since 1970. */
export function parseMoment(value: string): number {
  const date = parseDate(value)
  if (date !== null) return Date.parse(date)
  throw new InvalidArgumentError('It must be an ISO 8601 date, such as 2026-03-04T09:30:00Z.')
}

function parseBaseUrl(value: string): string {
  const problem = baseUrlProblem(value)
  if (problem !== null) throw new InvalidArgumentError(`It ${problem}.`)
  return value
}

/** Returns the message of any thrown value. The path is first in Node's `EACCES: permission denied, open '/a'`. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, path, message }: NodeJS.ErrnoException = error
  if (!path || !message.startsWith(`${code}: `)) return message
  return `${path}: ${message.slice(`${code}: `.length).split(', ', 1)} (${code})`
}

/** The running package. `folder` is the absolute path of the folder of `package.json`, `docs` and `examples`. */
export type PackageInfo = Readonly<Record<'name' | 'version' | 'folder', string>>

/** Reads the package's own `package.json`, which has the same relative path in the source and when installed. */
export function packageInfo(): PackageInfo {
  const folder = fileURLToPath(new URL('../../', import.meta.url))
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { name, version, folder }
}

/** The editors that `quarry editor` knows; Sveltia CMS reads the configuration of Decap CMS. */
export const editorNames = ['decap', 'sveltia', 'pages'] as const

export type EditorName = (typeof editorNames)[number]
