// An explanation as text or JSON.
import { STATUS_CODES } from 'node:http'
import { formatCount, harmless } from '../report.ts'
import type { Terminal } from '../terminal.ts'
import { type Explanation, headerOf } from './explanation.ts'
import type { QueryParameter } from './parameters.ts'

/** Remarks in addition to the explanation. */
export interface Remarks {
  readonly build: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly why: readonly string[]
}

/** Source of a response. */
export type ResponseSource = 'file' | 'index' | 'service' | 'redirect' | 'error'

/** One JSON object. */
export function explanationJson(explanation: Explanation, { build, now, why }: Remarks): string {
  const { target, route, workspace, parameters, reply, problem, key } = explanation
  return JSON.stringify(
    {
      target,
      build,
      now: moment(now),
      operation: route?.operation ?? null,
      version: route?.version ?? null,
      workspace,
      resource: route?.resource ?? null,
      identifier: route?.identifier ?? null,
      parameters: {
        understood: parameters?.understood ?? {},
        given: parameters?.given ?? [],
      },
      key: keyState(explanation),
      keyId: key?.id ?? null,
      status: reply.status,
      answeredBy: sourceOf(explanation),
      isCanonical: explanation.isFileWritten,
      file: explanation.isFileWritten ? explanation.file : null,
      bytes: Number(headerOf(reply, 'content-length') ?? 0),
      etag: headerOf(reply, 'etag'),
      cacheControl: headerOf(reply, 'cache-control'),
      location: headerOf(reply, 'location'),
      validUntil: moment(explanation.validUntil),
      problem,
      why,
    },
    null,
    2,
  )
}

/** Returns a few lines, the response first. */
export function describeExplanation(
  explanation: Explanation,
  { build, now, why }: Remarks,
  terminal: Terminal,
): string {
  const { target, route, workspace, reply, problem } = explanation
  const colour = reply.status < 400 ? terminal.green : terminal.red
  const rows: readonly (readonly [string, string | null])[] = [
    ['operation', route?.operation ?? null],
    ['workspace', workspace],
    ['parameters', parameterLines(explanation)],
    ['key', keyState(explanation)],
    ['source', sourceText(explanation)],
    ['size', sizeText(explanation)],
    ['etag', headerOf(reply, 'etag')],
    ['caching', headerOf(reply, 'cache-control')],
    ['location', headerOf(reply, 'location')],
    ['valid until', untilText(explanation)],
    ['problem', problem?.message ?? null],
    ['build', `${build}, asked at ${moment(now)}`],
  ]
  return [
    `${terminal.bold(`GET ${target}`)}  ${colour(`${reply.status} ${STATUS_CODES[reply.status] ?? ''}`)}`,
    ...why.map((sentence) => `  ${sentence}`),
    '',
    ...rows.flatMap(([name, text]) => (text === null ? [] : [row(name, text, terminal)])),
  ].join('\n')
}

/** Returns the source of the response. */
export function sourceOf({ reply, route }: Explanation): ResponseSource {
  if (reply.status >= 400) return 'error'
  if (reply.status === 308) return 'redirect'
  if (route === null) return 'service'
  return reply.source === 'file' ? 'file' : 'index'
}

function row(name: string, text: string, terminal: Terminal): string {
  const indent = ' '.repeat(15)
  return `  ${terminal.dim(name.padEnd(12))} ${text.split('\n').map(harmless).join(`\n${indent}`)}`
}

function keyState({ route, reply, key, target }: Explanation): string {
  const isKeyed = route?.version === 'v2' || /^\/v2(?:[/?]|$)/.test(target)
  if (!isKeyed) return 'not needed'
  if (reply.status === 401) return 'refused'
  return reply.status === 403 ? 'lacks a scope' : `opens it${key === null ? '' : ` (${key.id})`}`
}

function sourceText(explanation: Explanation): string {
  const { file } = explanation
  const source = sourceOf(explanation)
  return source === 'file' ? `file ${file}` : source
}

function sizeText({ reply }: Explanation): string | null {
  const bytes = headerOf(reply, 'content-length')
  return bytes === null ? null : `${formatCount(Number(bytes))} bytes`
}

function untilText({ reply, validUntil }: Explanation): string | null {
  if (validUntil !== null) return moment(validUntil)
  return reply.status === 200 ? 'the next build' : null
}

function parameterLines({ parameters }: Explanation): string | null {
  if (parameters === null) return null
  const givenLines = parameters.given.map((parameter) =>
    givenLine(parameter, parameters.understood),
  )
  const names = new Set(parameters.given.map(({ name }) => name))
  const defaults = Object.entries(parameters.understood)
    .filter(([name, value]) => !names.has(name) && !isNothing(value))
    .map(([name, value]) => `${name}=${value}`)
  const rest = defaults.length === 0 ? [] : [`by default: ${defaults.join(' ')}`]
  const lines = [...givenLines, ...rest]
  return lines.length === 0 ? null : lines.join('\n')
}

function givenLine(
  { name, values, effect, note }: QueryParameter,
  understood: Readonly<Record<string, unknown>>,
): string {
  const typed = values.map((value) => value ?? '?').join(', ')
  if (effect === 'bad') return `${name}=${typed} is bad: it ${note}`
  if (effect === 'ignored') return `${name}=${typed} is ignored: ${note}`
  const value = understood[name]
  const text = isNothing(value) ? typed : String(value)
  return effect === 'default' ? `${name}=${text}, which is the default` : `${name}=${text}`
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || value === false || isEmpty(value)
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function moment(milliseconds: number): string
function moment(milliseconds: number | null): string | null
function moment(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}
