// Refuses private words: in the names that src declares, in its comments, and in the prose of docs. Refuses long
// sentences in comments and docs. Prints each as `file:line: word; write "..."`, and exits with 1.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { inComments, inDocs, inNames, inTypes } from './words.mjs'

const root = process.argv[2] ?? '.'
const sentenceWordsMax = 30

const problems = [
  ...filesBelow('src', '.ts').flatMap((path) => problemsOfSource(path)),
  ...[...filesBelow('docs', '.md'), ...filesAtRoot()].flatMap((path) => problemsOfDocument(path)),
]
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1

function filesBelow(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith(ending))
    .sort()
}

function filesAtRoot() {
  return readdirSync(root).filter((path) => path.endsWith('.md'))
}

function problemsOfSource(path) {
  const text = readFileSync(join(root, path), 'utf8')
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1
  const fileName = path.split('/').at(-1)?.replace(/\.ts$/, '') ?? ''
  const problems = namesIn(fileName, inNames, `${path}:1`)
  const seen = new Set()
  const visit = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      if (seen.has(pos)) continue
      seen.add(pos)
      problems.push(
        ...proseIn(text.slice(pos, end), inComments, (line) => `${path}:${lineAt(pos) + line}`),
      )
    }
    if (isDeclaration(node)) {
      const words = ts.isTypeElement(node) || !isType(node) ? inNames : { ...inNames, ...inTypes }
      problems.push(...namesIn(node.name.text, words, `${path}:${lineAt(node.name.getStart())}`))
    }
    for (const child of node.getChildren(source)) visit(child)
  }
  visit(source)
  return problems
}

function isType(node) {
  return (
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node)
  )
}

/** A node that gives something a name: a type, a function, a variable, a parameter, a property or a method. */
function isDeclaration(node) {
  const { name } = node
  if (name === undefined || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return false
  // Names of an imported module are not chosen here.
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) return false
  return !ts.isPropertyAccessExpression(node) && !ts.isImportClause(node)
}

/** Words of a name: `keptBody` and `kept-body` have the words `kept` and `body`. */
function namesIn(name, words, place) {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => Object.hasOwn(words, word))
    .map((word) => `${place}: "${word}" in the name ${name}; write ${words[word]}`)
}

function problemsOfDocument(path) {
  const text = readFileSync(join(root, path), 'utf8')
  return proseIn(text, inDocs, (line) => `${path}:${line + 1}`)
}

/** Code between backticks is no prose. */
function proseIn(text, words, placeOf) {
  const prose = text
    .replaceAll(/^[ *]*```[\s\S]*?^[ *]*```/gm, (code) => code.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, '``')
  const lineAt = (index) => placeOf(prose.slice(0, index).split('\n').length - 1)
  const found = words.flatMap(({ pattern, use }) =>
    [...prose.matchAll(pattern)].map(
      ({ index, 0: match }) => `${lineAt(index)}: "${match.trim()}"; write ${use}`,
    ),
  )
  const long = sentencesOf(prose)
    .filter(({ words: count }) => count > sentenceWordsMax)
    .map(({ index, words: count }) => `${lineAt(index)}: a sentence of ${count} words; split it`)
  return [...found, ...long]
}

/**
 * Sentences by the index at which they begin, with their number of words. Paragraphs, list items, cells of tables and
 * tags of docstrings end a sentence. Addresses of links are no words.
 */
function sentencesOf(prose) {
  const marks = /^[ \t]*(\/\*\*|\*\/|\*(?= |$)|\/\/)/gm
  const plain = prose
    .replaceAll(/<!--[\s\S]*?-->/g, blanked)
    .replaceAll(marks, blanked)
    .replaceAll(/\]\([^)\s]*\)/g, blanked)
  const end = /(?<=[.!?:;])[)"*_]*\s+|\n[ \t]*\n|\n(?=[ \t]*(?:[-*@#|]|\d+\. ))|\|/g
  const sentences = []
  let index = 0
  for (const text of plain.split(end)) {
    const at = plain.indexOf(text, index)
    sentences.push({ index: at, words: text.match(/\S*[\p{L}\p{N}`]\S*/gu)?.length ?? 0 })
    index = at + text.length
  }
  return sentences
}

function blanked(text) {
  return text.replaceAll(/[^\n]/g, ' ')
}
