// Strict parsing of flags and environment variables: an invalid value is an error.
import { createSecretKey, type KeyObject } from 'node:crypto'
import { InvalidArgumentError } from 'commander'
import { parseDate } from '../api/dates.ts'
import {
  loadConfig,
  type QuarryConfig,
  resolveSettings,
  type Settings,
  UseError,
} from '../config.ts'
import type { HostName } from '../hosts/names.ts'
import { baseUrlProblem } from '../model/link-settings.ts'

/** Flags that several commands share. */
export interface CommonFlags {
  readonly content?: string
  /** A folder, or `off`; false with `--no-cache`. */
  readonly cache?: string | false
  readonly out?: string
  readonly config?: string
  readonly host?: string
  readonly port?: number
  /** Host to prepare a deployment for. */
  readonly for?: HostName
}

/** Reads the settings of a command. Precedence: flags, environment, configuration file, defaults. */
export async function readSettings(
  flags: CommonFlags,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Settings> {
  const { content, out, host, port, cache, for: platform } = flags
  const file = flags.config ?? environmentText(environment, 'QUARRY_CONFIG')
  const config = await loadConfig(process.cwd(), file)
  return resolveSettings(
    { content, out, host, port, cache: cacheOf(cache), platform },
    fromEnvironment(environment),
    config,
  )
}

/**
 * Returns the secret in a variable as an opaque object, which neither JSON nor errors reveal; undefined if it is empty
 * or unset.
 *
 * @throws UseError for a weak secret; no message contains the secret
 */
export function readSecret(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): KeyObject | undefined {
  const secret = environmentText(environment, name)
  if (secret === undefined) return undefined
  if (secret.length < secretLengthMin) {
    throw new UseError(
      `${name} is shorter than ${secretLengthMin} characters. Make one with: openssl rand -hex 32`,
    )
  }
  return createSecretKey(secret, 'utf8')
}

const secretLengthMin = 16

/** Parses a value that must not be empty: `--out=` would be the working folder. */
export function parseText(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return value
}

/** Appends a value of a repeatable flag. */
export function collectText(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, parseText(value)]
}

/** Parses a port: only digits, 0 to 65535. */
export function parsePort(value: string): number {
  const port = /^[0-9]{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (!(port <= 65_535)) throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  return port
}

/** Parses a positive decimal number of at most nine digits. */
export function parseCount(value: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(value))
    throw new InvalidArgumentError('It must be a number from 1.')
  return Number(value)
}

/** Parses a decimal number of at most nine digits, which may be 0. */
export function parseLimit(value: string): number {
  return value === '0' ? 0 : parseCount(value)
}

/** Parses an HTTP status, 100 to 599. */
export function parseStatus(value: string): number {
  if (!/^[1-5][0-9]{2}$/.test(value))
    throw new InvalidArgumentError('It must be a status such as 200.')
  return Number(value)
}

/** Parses an HTTP URL. */
export function parseAddress(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '') return url
  throw new InvalidArgumentError('It must be an address such as https://content.example.com.')
}

/** Parses an ISO 8601 time, as milliseconds since 1970. */
export function parseMoment(value: string): number {
  const date = parseDate(value)
  if (date === null) {
    throw new InvalidArgumentError('It must be a date of ISO 8601, such as 2026-03-04T09:30:00Z.')
  }
  return Date.parse(date)
}

function fromEnvironment(environment: Readonly<Record<string, string | undefined>>): QuarryConfig {
  const port = environmentText(environment, 'QUARRY_PORT')
  const workers = environmentText(environment, 'QUARRY_WORKERS')
  return {
    content: environmentText(environment, 'QUARRY_CONTENT'),
    out: environmentText(environment, 'QUARRY_OUT'),
    cache: cacheOf(environmentText(environment, 'QUARRY_CACHE')),
    host: environmentText(environment, 'QUARRY_HOST'),
    baseUrl: baseUrlOf(environmentText(environment, 'QUARRY_BASE_URL')),
    port: port === undefined ? undefined : checked('QUARRY_PORT', port, parsePort),
    workers: workers === undefined ? undefined : checked('QUARRY_WORKERS', workers, parseWorkers),
  }
}

function baseUrlOf(text: string | undefined): string | undefined {
  const problem = text === undefined ? null : baseUrlProblem(text)
  if (problem === null) return text
  throw new UseError(`QUARRY_BASE_URL is ${JSON.stringify(text)}. It ${problem}.`)
}

function cacheOf(text: string | false | undefined): string | false | undefined {
  return text === 'off' || text === 'false' ? false : text
}

function parseWorkers(value: string): number {
  const workers = /^[0-9]{1,3}$/.test(value) ? Number(value) : 0
  if (workers < 1 || workers > 256)
    throw new InvalidArgumentError('It must be a number from 1 to 256.')
  return workers
}

/** Parses the value of a variable. @throws UseError with its name and the reason of `parse` */
export function checked<T>(name: string, value: string, parse: (value: string) => T): T {
  try {
    return parse(value)
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    throw new UseError(`${name} is ${JSON.stringify(value)}. ${reason}`)
  }
}

/** Returns the value of a variable that is set and not empty. */
export function environmentText(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  return environment[name] || undefined
}
