// Every text that quarry shows, in one file, so that it can be read and edited as a whole: the strings of the program
// itself, by room. UPDATE=1 rewrites the file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const file = join(import.meta.dirname, 'messages.txt')

/** Rooms of the program, by the folder of their source. */
const rooms = ['src', 'packages/explorer/src', 'packages/import/src', 'packages/client/src']

it('says what messages.txt says', () => {
  const texts = new Map<string, Set<string>>()
  for (const folder of rooms)
    for (const path of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:ts|html)$/.test(path)) continue
      const room = folder === 'src' ? (path.split('/')[0] ?? '') : folder.replace('/src', '')
      const known = texts.get(room) ?? new Set()
      texts.set(room, known)
      for (const text of textsOf(readFileSync(join(root, folder, path), 'utf8'), path))
        known.add(text)
    }
  const sections = [...texts]
    .filter(([, known]) => known.size > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([room, known]) => `== ${room}\n${[...known].sort().join('\n')}\n`)
  const made = sections.join('\n')
  if (process.env['UPDATE'] === '1') writeFileSync(file, made)
  expect(made).toBe(readFileSync(file, 'utf8'))
})

/** Strings of several words; `{}` is a value. */
function textsOf(source: string, path: string): readonly string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    const text = ts.isTemplateExpression(node)
      ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}')
      : ts.isStringLiteralLike(node)
        ? node.text
        : ''
    if (/[a-z,.:]{2,}\}? \{?[a-zA-Z`"{]/.test(text)) found.push(text.trim().replaceAll('\n', '\\n'))
    ts.forEachChild(node, visit)
  }
  if (path.endsWith('.html'))
    return source.match(/(?<=>)[^<>{}]*[a-z]{2} [a-z][^<>{}]*(?=<)/gi) ?? []
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest))
  return found
}
