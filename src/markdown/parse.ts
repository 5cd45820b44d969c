// Which parser reads a body: satteri, remark-parse, or both to compare them.
import type { Root } from 'mdast'
import { parserProblem } from './failures.ts'
import type { MarkdownOptions } from './options.ts'
import { type Problem, placeOf } from './problem.ts'
import { parseMarkdown } from './processor.ts'
import { screenSource } from './source-screen.ts'
import { type SatteriStage, StageNeeded, type Stages } from './stages.ts'

interface ParsedMarkdown {
  readonly tree: Root
  /** The error of a body that the parsers read differently. */
  readonly problems: readonly Problem[]
}

/**
 * The syntax tree of a body; the same one for every `parser`.
 *
 * @throws StageNeeded where satteri has to be loaded @throws RangeError when nesting overflows the stack
 */
export function parseBody(
  body: string,
  parser: MarkdownOptions['parser'],
  stages: Stages,
): ParsedMarkdown {
  const isScreened = parser === 'remark' || screenSource(body) !== null
  if (!isScreened && stages.satteri === undefined) throw new StageNeeded('satteri')
  const quick = isScreened ? null : (stages.satteri?.parse(body) ?? null)
  const tree = quick !== null && parser === 'auto' ? quick : parseMarkdown(body)
  return { tree, problems: parser === 'verify' ? compare(tree, quick, stages.satteri) : [] }
}

function compare(
  tree: Root,
  quick: Root | null,
  satteri: SatteriStage | undefined,
): readonly Problem[] {
  const difference = quick === null ? null : (satteri?.differenceOf(tree, quick) ?? null)
  return difference === null ? [] : [parserProblem(difference.path, placeOf(difference.node))]
}
