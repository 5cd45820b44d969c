// Detects the languages of a site by its folders, and selects one for the workspace.
import { UseError } from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import type { PostFile } from './generator.ts'

/** ISO 639-1 codes into which sites are translated. Excludes names such as `go` or `js`. */
const codes: ReadonlySet<string> = new Set(
  'ar be bg bn bs ca cs da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km ko lt lv mk ml mn mr ms my nb ne nl nn no pl pt pt-br ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zh-cn zh-tw zh-hans zh-hant'.split(
    ' ',
  ),
)

/** Languages named by the user and by the site's configuration. */
export interface NamedLanguages {
  /** The language to import. */
  readonly language: string | undefined
  /** The language of files whose paths name none. */
  readonly configured?: string | undefined
}

/**
 * Selects the posts of one language: the requested one, else the configured one, else English, else the one with the
 * most posts. Reports the others with the flag that imports them.
 *
 * @throws UseError when the requested language has no posts
 */
export function postsOfLanguage(
  files: readonly PostFile[],
  report: Ledger,
  { language: named, configured }: NamedLanguages,
): readonly PostFile[] {
  const depth = languageDepth(files)
  const byLanguage = new Map<string, PostFile[]>()
  for (const file of files) {
    const language = languageOf(file.path, depth) || (configured?.toLowerCase() ?? '')
    const known = byLanguage.get(language)
    if (known === undefined) byLanguage.set(language, [file])
    else known.push(file)
  }
  const chosen = named?.toLowerCase().replace('_', '-')
  if (chosen !== undefined && !byLanguage.has(chosen)) throw notFound(chosen, byLanguage)
  const main =
    [chosen, configured?.toLowerCase(), '', 'en'].find(
      (code) => code !== undefined && byLanguage.has(code),
    ) ?? largest(byLanguage)
  for (const [language, others] of byLanguage) {
    if (language === main) continue
    const text = `posts in the language ${language}: import them with --language ${language} into a workspace of their own`
    for (const { path } of others) report.settle(path, 'skipped', text)
  }
  return byLanguage.get(main) ?? []
}

function notFound(language: string, found: ReadonlyMap<string, unknown>): UseError {
  const names = [...found.keys()].filter((name) => name !== '').sort()
  const others =
    names.length === 0 ? 'No language is in their paths' : `There are ${names.join(', ')}`
  return new UseError(`No posts are in the language ${language}. ${others}.`)
}

/** The first depth at which at least two languages occur as folder names; -1 for none. */
function languageDepth(files: readonly PostFile[]): number {
  const found = [0, 1, 2, 3, 4].map((depth) => {
    const names = files.map(
      ({ path }) => path.split('/').at(depth)?.toLowerCase().replace('_', '-') ?? '',
    )
    return new Set(names.filter((name) => codes.has(name))).size
  })
  return found.findIndex((count) => count > 1)
}

/** The language in a path; `''` when it names none. */
function languageOf(path: string, depth: number): string {
  const [, suffix] = /\.([a-z]{2}(?:-[a-zA-Z]{2,4})?)\.\w+$/.exec(path) ?? []
  if (suffix !== undefined && codes.has(suffix.toLowerCase())) return suffix.toLowerCase()
  const folder =
    depth === -1 ? undefined : path.split('/').at(depth)?.toLowerCase().replace('_', '-')
  return folder !== undefined && codes.has(folder) ? folder : ''
}

function largest(byLanguage: ReadonlyMap<string, readonly PostFile[]>): string {
  const [first] = [...byLanguage].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
  return first?.[0] ?? ''
}

/** True for a folder name that is a language. */
export function isLanguage(name: string): boolean {
  return codes.has(name.toLowerCase().replace('_', '-'))
}
