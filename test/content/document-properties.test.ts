// What holds of every document: the body byte for byte, places that point at what is there, and no throw.

import { describe, expect, it } from 'vitest'
import { readDocument } from '../../src/content/front-matter.ts'
import { parseYaml } from '../../src/content/yaml.ts'
import { isError } from '../../src/diagnostics.ts'
import fc from '../support/fast-check.ts'
import { plain, textsIn } from './support.ts'

const lineBreak = fc.constantFrom('\n', '\r\n')

// Text without lone surrogates that is rich in what matters to the reader of a Markdown file.
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        '\n',
        '\r\n',
        '\r',
        '---',
        '---\n',
        '---js\n',
        '+++',
        ' ',
        '\t',
        '#',
        '\uFEFF',
        '🙂',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

// A scalar as it is written, and as it is read.
const scalar = fc.oneof(
  fc
    .stringMatching(/^[a-z0-9][a-z0-9_./+-]{0,12}$/u)
    .map((text) => ({ written: text, read: text })),
  fc.string({ maxLength: 10 }).map((text) => ({ written: JSON.stringify(text), read: text })),
  fc.stringMatching(/^[ -~]{0,10}$/u).map((text) => {
    return { written: `'${text.replaceAll("'", "''")}'`, read: text }
  }),
)

const entry = fc.record({
  key: fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/u),
  scalar,
  comment: fc.constantFrom('', '', ' # a: b'),
  blankLines: fc.nat(2),
})

const entries = fc
  .uniqueArray(entry, { selector: ({ key }) => key, maxLength: 6 })
  .filter((all) => {
    return all.every(({ key }) => !['constructor', 'prototype'].includes(key))
  })

describe('a document', () => {
  it('keeps the body that it was joined from, but for the ends of its lines', () => {
    fc.assert(
      fc.property(entries, anyText, lineBreak, (all, body, eol) => {
        const { value, diagnostics } = readDocument('a.md', `${fenced(all, eol)}${body}`)
        expect(diagnostics.filter(isError)).toEqual([])
        expect(value?.body).toBe(body.replace(/\r\n?/g, '\n'))
        expect(value?.bodyLine).toBe(fenced(all, eol).split(/\r\n?|\n/).length)
        expect(plain(value?.frontMatter)).toEqual(all.map((it) => [it.key, it.scalar.read]))
      }),
      { numRuns: 1000 },
    )
  })

  it('gives every key and value the place where it is written', () => {
    fc.assert(
      fc.property(entries, lineBreak, (all, eol) => {
        const text = fenced(all, eol)
        const { value } = readDocument('a.md', text)
        for (const { key, scalar } of all) {
          const found = value?.frontMatter.entries.get(key)
          expect(textAt(text, found?.keyAt)).toMatch(new RegExp(`^${key}:`, 'u'))
          expect(textAt(text, found?.value.at).startsWith(scalar.written)).toBe(true)
        }
      }),
    )
  })

  it('never throws on any text, and has an error where it has no value', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { value, diagnostics } = readDocument('a.md', text)
        expect(value !== undefined || diagnostics.some(isError)).toBe(true)
        const lines = text.replace(/\r\n?/g, '\n')
        for (const { line, column } of diagnostics) expectPlaceIn(lines, line, column)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('mutated YAML', () => {
  const seed = [
    'title: A "quoted" title\n',
    'tags: [one, two]\n',
    'authors:\n  - jane\n  - {name: joe}\n',
    'x: |\n  block\n',
    "y: 'single'\n",
    'z: "a\\n"\n',
    '# comment\n',
    '? key\n: value\n',
    'a: &b c\n',
    'd: *b\n',
    'e: !t f\n',
    '<<: g\n',
  ]
  const shard = fc.oneof(
    fc.constantFrom(...seed),
    fc.constantFrom(...'[]{},:?-&*!|>\'"%@`#~ \t\n\r\\.0a\u0000\u00a0\u2028🙂'),
    fc.constantFrom('---\n', '...\n', '\r\n', '  ', ': ', '- ', '__proto__: ', '"\\u12', 'a: b\n'),
  )
  const mutated = fc.array(shard, { maxLength: 25 }).map((shards) => shards.join(''))

  it('is read or refused, never thrown at', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const { value, diagnostics } = parseYaml(text, { file: 'f.yml', firstLine: 1 })
        expect(value !== undefined || diagnostics.some(isError)).toBe(true)
        for (const { line, column } of diagnostics) expectPlaceIn(text, line, column)
        for (const { value: read, isPlain, at } of textsIn(value)) {
          const written = textAt(text, at)
          const first = /^\S*/u.exec(read)?.[0] ?? ''
          // The tag "!" makes a scalar without quotes text.
          const isQuoted = /^["'|>]/u.test(written) || text.includes('!')
          expect(isPlain ? written.startsWith(first) : isQuoted).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

type Entries = readonly {
  readonly key: string
  readonly scalar: { readonly written: string }
  readonly comment: string
  readonly blankLines: number
}[]

function fenced(entries: Entries, eol: string): string {
  const lines = entries.flatMap(({ key, scalar, comment, blankLines }) => [
    ...Array<string>(blankLines).fill(''),
    `${key}: ${scalar.written}${comment}`,
  ])
  return ['---', ...lines, '---', ''].join(eol)
}

// The text from a place on.
function textAt(
  text: string,
  at: { readonly line: number; readonly column: number } | undefined,
): string {
  const lines = text.split('\n')
  return lines
    .slice((at?.line ?? 0) - 1)
    .join('\n')
    .slice((at?.column ?? 0) - 1)
}

function expectPlaceIn(text: string, line: number, column: number): void {
  const lineText = text.split('\n')[line - 1]
  expect(lineText).toBeDefined()
  expect(column).toBeGreaterThanOrEqual(1)
  expect(column).toBeLessThanOrEqual((lineText?.length ?? 0) + 1)
}
