// Explains the parameters of a request, by calling the parser itself.
import { ApiError, type FieldError } from '../../api/errors.ts'
import {
  includedOn,
  operationOf,
  type ParameterName,
  parametersOf,
  parameterTable,
} from '../../api/parameter-table.ts'
import { type ParameterTarget, parseParameters } from '../../api/parameters.ts'
import { filePath } from '../../api/paths.ts'
import type { Parameters, Target } from '../../api/request.ts'
import { splitQuery } from '../../api/routes.ts'
import { didYouMean } from '../../model/problems.ts'

/** The parameters of a request. */
export interface ExplainedParameters {
  /** Parsed parameters; null if one is invalid. */
  readonly parsed: Parameters | null
  /** Parameters that the operation takes, by name; empty if one is invalid. */
  readonly understood: Readonly<Record<string, unknown>>
  /** Every parameter of the query, in order. */
  readonly given: readonly QueryParameter[]
}

/** A parameter of the query. */
export interface QueryParameter {
  readonly name: string
  /** As given, decoded; null for a value that could not be decoded. */
  readonly values: readonly (string | null)[]
  readonly effect: Effect
  /** The error of an invalid one, or why it is ignored; otherwise empty. */
  readonly note: string
}

/** `default`: equal to its default. */
export type Effect = 'used' | 'default' | 'ignored' | 'bad'

type Pair = readonly [name: string, value: string | null]

/** Explains the parameters of a query string. */
export function explainParameters(target: ParameterTarget, query: string): ExplainedParameters {
  const pairs = splitQuery(query)
  const outcome = parse(target, pairs)
  const problems = Array.isArray(outcome) ? outcome : []
  const names = [...new Set(pairs.map(([name]) => name))]
  const given = names.map((name): QueryParameter => {
    const values = pairs.flatMap((pair) => (pair[0] === name ? [pair[1]] : []))
    return { name, values, ...effectOf(name, target, pairs, problems) }
  })
  if (isRefusal(outcome)) return { parsed: null, understood: {}, given }
  const read = parametersOf(target).filter((name) => isRead(name, target, pairs))
  const understood = read.flatMap((name) =>
    name === 'strict' ? [] : [[name, meaningOf(outcome, name)]],
  )
  const fields = outcome.fields.map(({ name, operator, values }) => [
    `fields.${name}[${operator}]`,
    values,
  ])
  return { parsed: outcome, understood: Object.fromEntries([...understood, ...fields]), given }
}

/** Returns the parameters that on their own prevent a response file. */
export function parametersWithoutFile(
  target: ParameterTarget & { readonly workspace: string },
  query: string,
): readonly string[] {
  const pairs = splitQuery(query)
  return [...new Set(pairs.map(([name]) => name))].filter((name) => {
    const alone = parse(
      target,
      withIncluded(name, pairs, (pair) => pair[0] === name),
    )
    return !isRefusal(alone) && filePath({ ...target, parameters: alone }) === null
  })
}

function effectOf(
  name: string,
  target: ParameterTarget,
  pairs: readonly Pair[],
  problems: readonly FieldError[],
): Pick<QueryParameter, 'effect' | 'note'> {
  const problem = problems.find(({ field }) => field === name)
  if (problem !== undefined) return { effect: 'bad', note: problem.message }
  if (!isRead(name, target, pairs)) return { effect: 'ignored', note: whyIgnored(name, target) }
  const alone = parse(
    target,
    withIncluded(name, pairs, (pair) => pair[0] === name),
  )
  const without = parse(
    target,
    withIncluded(name, pairs, () => false),
  )
  const isSame = JSON.stringify(alone) === JSON.stringify(without)
  return { effect: isSame ? 'default' : 'used', note: '' }
}

/** The operation takes a parameter if the parser rejects an undecodable value for it. */
function isRead(name: string, target: ParameterTarget, pairs: readonly Pair[]): boolean {
  const outcome = parse(target, [...pairs.filter((pair) => pair[0] !== name), [name, null]])
  return isRefusal(outcome) && outcome.some(({ field }) => field === name)
}

/** Keeps the wanted pairs and those of `include`, which decides whether others are read. */
function withIncluded(
  name: string,
  pairs: readonly Pair[],
  isWanted: (pair: Pair) => boolean,
): readonly Pair[] {
  return pairs.filter((pair) => isWanted(pair) || (pair[0] === 'include' && name !== 'include'))
}

function whyIgnored(name: string, target: Target): string {
  const accepted: readonly string[] = parametersOf(target)
  if (accepted.includes(name)) return 'it is about included posts, and none are included'
  if (Object.hasOwn(parameterTable, name)) {
    return `this operation takes only ${accepted.join(', ')}`
  }
  const hint = isIncluded(name, target)
    ? `Did you mean include=${name}?`
    : didYouMean(name, accepted)
  return `no operation has it${hint === undefined ? '' : `. ${hint}`}`
}

/** @returns the errors, if any */
function parse(
  target: ParameterTarget,
  pairs: readonly Pair[],
): Parameters | readonly FieldError[] {
  try {
    return parseParameters(target, pairs)
  } catch (error) {
    if (error instanceof ApiError && Array.isArray(error.details)) return error.details
    throw error
  }
}

function isRefusal(outcome: Parameters | readonly FieldError[]): outcome is readonly FieldError[] {
  return Array.isArray(outcome)
}

function meaningOf(parameters: Parameters, name: Exclude<ParameterName, 'strict'>): unknown {
  if (name === 'include') return parameters.include.join(',')
  const value = parameters[name]
  const isDate = typeof value === 'number' && /(?:After|Before)$/.test(name)
  return isDate ? new Date(value).toISOString() : value
}

function isIncluded(name: string, target: Target): boolean {
  const names: readonly string[] = includedOn(operationOf(target))
  return names.includes(name)
}
