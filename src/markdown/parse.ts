// Chooses the parser of a body: satteri or remark-parse.
import type { Root } from 'mdast'
import { parserProblem } from './failures.ts'
import { type Problem, placeOf } from './problem.ts'
import { parseMarkdown } from './processor.ts'
import { screenSource } from './source-screen.ts'
import { type SatteriStage, StageNeeded, type Stages } from './stages.ts'

/**
 * The syntax tree of a body, the same with either parser. The choice depends on the body alone.
 *
 * @throws StageNeeded when satteri must be loaded
 * @throws RangeError when nesting overflows the stack
 */
export function parseBody(body: string, parser: 'auto' | 'remark', stages: Stages): Root {
  const quick = parser === 'auto' ? satteriFor(body, stages)?.parse(body) : null
  return quick ?? parseMarkdown(body)
}

/**
 * Returns an error when the parsers produce different trees, including positions; none for a body that satteri does
 * not parse.
 *
 * @throws like `parseBody`
 */
export function treeProblems(body: string, stages: Stages): readonly Problem[] {
  const satteri = satteriFor(body, stages)
  const tree = satteri?.parse(body) ?? null
  const difference = tree === null ? null : satteri?.differenceOf(parseMarkdown(body), tree)
  return difference ? [parserProblem(difference.path, placeOf(difference.node))] : []
}

/** @returns null for a body that is left to remark-parse */
function satteriFor(body: string, { satteri }: Stages): SatteriStage | null {
  if (screenSource(body) !== null) return null
  if (satteri === undefined) throw new StageNeeded('satteri')
  return satteri
}
