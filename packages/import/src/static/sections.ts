// Sections of Hugo and Zola decide about the pages below them: `cascade` in `_index.md` and in the configuration.
import { posix } from 'node:path'
import { Ledger } from '../ledger.ts'
import { asList, isMap, readSource, textAt, type Values, valueAt } from './front.ts'
import type { PostFile } from './generator.ts'
import { matchesGlob } from './globs.ts'
import { readMoment } from './moments.ts'
import type { SourceTree } from './source-tree.ts'
import { type Publication, withheldBy } from './withheld.ts'

/** A site with sections. */
export interface SectionSite {
  readonly tree: SourceTree
  readonly config: Values
  /** The language of the posts. */
  readonly language: string
  /** The path of a page in the site: `post/title.md` for `content/post/title.md`. */
  root(path: string): string
  readonly publication: Publication
}

interface Section {
  /** Values of its cascades, each with the pages to which they apply. */
  readonly cascades: readonly Cascade[]
  readonly withheld: string | undefined
}

interface Cascade {
  readonly target: Values
  readonly values: Values
}

/** Creates a reader of the sections above a page; each section is read once. */
export function sectionReader(
  site: SectionSite,
): (path: string) => Pick<PostFile, 'withheld' | 'defaults'> {
  const known = new Map<string, Section>()
  const indexes = new Map<string, string>()
  for (const path of site.tree.files) {
    const [name, language = site.language] =
      /^_index(?:\.([a-zA-Z-]{2,10}))?\.\w+$/.exec(posix.basename(path)) ?? []
    if (name !== undefined && language === site.language) indexes.set(posix.dirname(path), path)
  }
  const top: Section = { cascades: cascadesOf(site.config), withheld: undefined }
  const sectionOf = (folder: string): Section => {
    const found = known.get(folder)
    if (found !== undefined) return found
    const parent = folder === '.' ? top : sectionOf(posix.dirname(folder))
    const index = indexes.get(folder)
    const section = index === undefined ? parent : readSection(index, parent, site)
    known.set(folder, section)
    return section
  }
  return (path) => {
    const { cascades, withheld } = sectionOf(posix.dirname(path))
    const defaults = valuesFor(path, 'page', cascades, site)
    return { ...(withheld === undefined ? {} : { withheld }), defaults }
  }
}

function readSection(path: string, parent: Section, site: SectionSite): Section {
  const source = readSource(site.tree, path, new Ledger())
  if (source === undefined) return parent
  const cascades = [...parent.cascades, ...cascadesOf(source.values)]
  const values = { ...valuesFor(path, 'section', cascades, site), ...source.values }
  const reason = sectionReason(values, site.publication)
  const own = reason === undefined ? undefined : `its section has ${reason}`
  return { cascades, withheld: parent.withheld ?? own }
}

/** The reason for which a section is withheld with its pages. A section without a page of its own has public pages. */
function sectionReason(values: Values, publication: Publication): string | undefined {
  const start = readMoment(textAt(values, 'publishDate', 'date') ?? '', publication.zone)
  if (start !== undefined && start > publication.now) return 'a date in the future'
  const keys = ['draft', 'expiryDate', 'unpublishDate', ...(publication.expiryKeys ?? [])]
  return withheldBy(Object.fromEntries(keys.map((key) => [key, valueAt(values, key)])), publication)
}

function cascadesOf(values: Values): readonly Cascade[] {
  return asList(valueAt(values, 'cascade')).flatMap((item) => {
    if (!isMap(item)) return []
    const target = valueAt(item, '_target') ?? valueAt(item, 'target')
    const stated = valueAt(item, 'params')
    return [
      {
        target: isMap(target) ? target : {},
        values: isMap(stated) ? { ...stated, ...item } : item,
      },
    ]
  })
}

/** Values for a page: those of deeper sections take precedence. */
function valuesFor(
  path: string,
  kind: 'page' | 'section',
  cascades: readonly Cascade[],
  site: SectionSite,
): Values {
  const logical = `/${site.root(path)}`.toLowerCase()
  const plain = logical.replace(/(?:\/_?index)?\.\w+$/, '')
  const fitting = cascades.filter(({ target }) => {
    const glob = textAt(target, 'path')?.toLowerCase()
    const isKind = matchesGlob(kind, textAt(target, 'kind') ?? '*')
    const isLanguage = matchesGlob(site.language, textAt(target, 'lang') ?? '*')
    // Other syntax of globs counts as a match: it may withhold the page.
    const isPath =
      glob === undefined ||
      /[{[\\]/.test(glob) ||
      [logical, plain, `${plain}/`].some((name) => matchesGlob(name, glob))
    return isKind && isLanguage && isPath
  })
  const {
    cascade: _,
    _target: __,
    target: ___,
    ...values
  } = Object.assign({}, ...fitting.map((cascade) => cascade.values))
  return values
}
