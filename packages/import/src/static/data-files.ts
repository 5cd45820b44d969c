// Reads authors and tags from data files anywhere in a site.

import type { ImportReport } from '../report.ts'
import { asList, isMap, readSource, textAt, type Values } from './front.ts'
import type { DefineTerm } from './generator.ts'
import { readValues } from './liquid-data.ts'
import type { SourceTree } from './source-tree.ts'

const authorFiles = /(?:^|\/)(?:authors?|people|team|members)\.(?:ya?ml|json)$/i
const tagFiles = /(?:^|\/)tags\.(?:ya?ml|json)$/i
const authorFolders = /(?:^|\/)(?:_?authors|_staff_members|_people|_team)\//i

/** Adds every record of `authors.yml`, `tags.yml`, `authors/*.md` and the like. */
export function defineFromFiles(
  tree: SourceTree,
  report: ImportReport,
  defineTerm: DefineTerm,
): void {
  for (const path of tree.files) {
    if (authorFolders.test(path) && /\.(?:md|mdx|json|ya?ml)$/i.test(path))
      defineFile(tree, path, report, defineTerm)
    else if (authorFiles.test(path))
      defineRecords('authors', readValues(tree, path), path, defineTerm)
    else if (tagFiles.test(path)) defineRecords('tags', readValues(tree, path), path, defineTerm)
  }
}

/** Adds records from a map by key, or from a list of maps. */
export function defineRecords(
  kind: 'authors' | 'tags',
  found: unknown,
  from: string,
  defineTerm: DefineTerm,
): void {
  for (const [key, item] of entriesOf(found)) {
    if (isMap(item)) defineTerm(kind, key, item, from)
    else if (typeof item === 'string') defineTerm(kind, key, { name: item }, from)
  }
}

function entriesOf(found: unknown): readonly (readonly [string, Values[string]])[] {
  if (!Array.isArray(found)) return Object.entries((found as Values | null | undefined) ?? {})
  return asList(found).flatMap((item) => {
    const key = isMap(item)
      ? textAt(item, 'username', 'short_name', 'slug', 'id', 'key', 'name')
      : undefined
    return key === undefined ? [] : [[key, item] as const]
  })
}

function defineFile(
  tree: SourceTree,
  path: string,
  report: ImportReport,
  defineTerm: DefineTerm,
): void {
  const parts = path.split('/')
  const name = (parts.at(-1) ?? '').replace(/\.\w+$/, '')
  const key = /^_?index$/.test(name) ? (parts.at(-2) ?? '') : name
  if (/^_?(?:authors|staff_members|people|team)$/.test(key)) return
  if (!/\.mdx?$/.test(path)) {
    const values = readValues(tree, path)
    if (isMap(values)) defineTerm('authors', textAt(values, 'slug', 'id') ?? key, values, path)
    return
  }
  const source = readSource(tree, path, report)
  if (source === undefined) return
  const bio = source.body.trim()
  defineTerm(
    'authors',
    textAt(source.values, 'slug') ?? key,
    bio === '' ? source.values : { ...source.values, bio },
    path,
  )
}
