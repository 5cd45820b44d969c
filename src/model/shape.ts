// What the posts of a workspace look like: its settings, its fields, and what they may refer to.
// Knows nothing of the posts themselves.
import { type TermKind, termKinds } from '../api/resources.ts'
import type { RawContent } from '../content/raw.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { Mappings } from './front-matter-mapping.ts'
import { deriveId } from './identifier.ts'
import { compareTerms } from './order.ts'
import { Problems } from './problems.ts'
import { readSettings, type WorkspaceSettings } from './settings.ts'
import { readTerms, type TermSet } from './terms.ts'

/** One workspace, less its posts. */
export interface WorkspaceShape {
  readonly id: string
  readonly settings: WorkspaceSettings
  /** What a post may write to refer to a term: slugs in name order, then the ids that files state. */
  readonly identifiers: Readonly<Record<TermKind, readonly string[]>>
}

/** The shapes of all workspaces, and every problem of them. */
export function readShapes(
  { workspaces }: RawContent,
  mappings: Mappings,
): {
  readonly shapes: readonly WorkspaceShape[]
  readonly diagnostics: readonly Diagnostic[]
} {
  const problems = new Problems()
  const shapes = workspaces.map((raw) => {
    const settings = readSettings(raw, problems)
    const identifiers = termKinds.map((kind) => [
      kind,
      identifiersOf(raw.id, kind, readTerms(raw, kind, { mappings, problems })),
    ])
    return { id: raw.id, settings, identifiers: Object.fromEntries(identifiers) }
  })
  return { shapes, diagnostics: problems.diagnostics }
}

/** Ids that were derived are left out: nobody writes them. */
function identifiersOf(workspace: string, kind: TermKind, terms: TermSet): readonly string[] {
  const sorted = terms.sorted(compareTerms)
  const stated = sorted.filter(({ id, slug }) => id !== deriveId(workspace, kind, slug))
  return [...sorted.map(({ slug }) => slug), ...stated.map(({ id }) => id)]
}
