import { describe, expect, it } from 'vitest'
import {
  deriveId,
  identifierBytesMax,
  identifierProblem,
  slugify,
} from '../../src/model/identifier.ts'
import fc from '../support/fast-check.ts'

describe('identifierProblem', () => {
  const accepted = [
    ...['a', '7', 'v1.2.3', 'snake_case', 'Ünïcode', '日本語', 'हिन्दी', '٣', 'a.json', 'console'],
    ...['com10', 'a'.repeat(identifierBytesMax)],
  ]
  it.each([
    ...accepted.map((text) => [text, 'nothing']),
    ['', 'is empty'],
    ['a b', 'U+0020'],
    ['..', 'does not begin'],
    ['a..b', 'two dots'],
    ['a-', 'does not end'],
    ['a\u0000b', 'U+0000'],
    ['a\u200db', 'U+200D'],
    ['\ud800', 'U+D800'],
    ['e\u0301', 'normal form C'],
    ['😀', '"😀"'],
    ['CON', 'device name'],
    ['a'.repeat(identifierBytesMax + 1), 'longer than 200 bytes'],
    ['語'.repeat(67), 'longer than 200 bytes'],
  ])('finds in %j: %s', (text, reason) => {
    expect(identifierProblem(text) ?? 'nothing').toContain(reason)
  })

  it('accepts nothing that could leave its folder or clash with a name of ours', () => {
    const near = fc.constantFrom('.', '-', '_', '/', '\\', 'a', '\0')
    const text = fc.array(fc.oneof(near, fc.string({ unit: 'grapheme', maxLength: 3 })))
    fc.assert(
      fc.property(text, (parts) => {
        const given = parts.join('')
        fc.pre(identifierProblem(given) === null)
        expect(given).not.toMatch(/[/\\\0]|^\.|^_|_$|^-|\.\./)
      }),
    )
  })
})

it.each([
  ['Hello, World!', 'hello-world'],
  ["What's new?", 'whats-new'],
  ['  Déjà vu  ', 'déjà-vu'],
  ['日本語 の スラッグ', '日本語-の-スラッグ'],
  ['---', ''],
])('slugify makes %j %j', (text, slug) => {
  expect(slugify(text)).toBe(slug)
})

it('a derived id is the same on every machine, and another for each workspace, kind and slug', () => {
  expect(deriveId('acme', 'posts', 'hello')).toBe('metjnzoq5di6hoam')
  const others = [
    ['acme', 'tags'],
    ['other', 'posts'],
  ] as const
  const ids = others.map(([workspace, kind]) => deriveId(workspace, kind, 'hello'))
  expect(new Set([...ids, deriveId('acme', 'posts', 'hello')]).size).toBe(3)
})
