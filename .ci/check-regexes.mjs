// Refuses regular expressions in src and packages, or in the folders given, whose cost is not known to be linear in the
// length of the text. A comment `// regex: <reason>` above the statement excuses one. Exits with 1.
import { readdirSync, readFileSync } from 'node:fs'
import { check } from 'recheck'
import ts from 'typescript'

// Limits count characters, so that a busy machine gives the same answers. Takes 20 s on 2 cores with the native program
// of recheck. Where npm has none, recheck runs in Java or as JavaScript, which takes some three times longer.
const limits = { attackLimit: 1e8, attackTimeout: null, incubationTimeout: null, timeout: 60_000 }

const folders = process.argv.length > 2 ? process.argv.slice(2) : ['src', 'packages']
const queue = folders
  .flatMap((top) => readdirSync(top, { recursive: true }).map((name) => `${top}/${name}`))
  .filter(
    (path) => /\.[cm]?[jt]s$/.test(path) && !/[\\/](node_modules|lib|test)[\\/]|\.d\.ts/.test(path),
  )
  .flatMap(expressionsIn)
await check('', '', limits) // Starts the program once.
const problems = (await Promise.all([takeAll(), takeAll()])).flat().sort()
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.exit(problems.length === 0 ? 0 : 1)

function expressionsIn(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const nodesOf = (node) => [node, ...node.getChildren().flatMap(nodesOf)]
  return nodesOf(source).flatMap((node) => {
    const [pattern, flags = ''] = expressionOf(node)
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
    return pattern === undefined
      ? []
      : { at: `${path}:${line}`, pattern, flags, excuse: excuseFor(node) }
  })
}

/** The pattern and the flags of a literal or of `RegExp(…)`. The pattern is null when they are not constant texts. */
function expressionOf(node) {
  if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1).split(/\/(?=\w*$)/)
  if (node.expression?.getText() !== 'RegExp' || !node.arguments) return []
  return node.arguments.every(ts.isStringLiteralLike)
    ? node.arguments.map(({ text }) => text)
    : [null]
}

/** The comment above the statement, or above the part of it that the expression is in. */
function excuseFor(node) {
  const excuse = /\/\/ regex:.*/.exec(
    node.getFullText().slice(0, node.getLeadingTriviaWidth()),
  )?.[0]
  return (
    excuse ?? (ts.isStatement(node) || ts.isClassElement(node) ? undefined : excuseFor(node.parent))
  )
}

async function takeAll() {
  const found = []
  for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
    if (/: \S+ \S/.test(one.excuse)) continue
    const problem = await problemOf(one)
    if (problem !== null) found.push(`${one.at}: ${problem}`)
  }
  return found
}

async function problemOf({ at, pattern, flags }) {
  // An import runs once, on the texts of its owner: what the program does not refute within 1 s passes.
  const isImport = at.startsWith('packages/import/')
  if (pattern === null) return isImport ? null : 'is not constant'
  const timeout = isImport ? 1_000 : limits.timeout
  const { status, complexity, error, attack } = await check(pattern, flags, { ...limits, timeout })
  if (status === 'unknown') return isImport ? null : `is undecided (${error.kind})`
  return status === 'safe' ? null : `is ${complexity.summary}, as with ${attack.pattern}`
}
