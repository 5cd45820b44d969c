// YAML and TOML as data: text as typed, places in the file, and everything refused that content does not need.
import { describe, expect, it } from 'vitest'
import { parseToml } from '../../src/content/toml.ts'
import { parseYaml, readYaml } from '../../src/content/yaml.ts'
import { isError } from '../../src/diagnostics.ts'
import fc from '../support/fast-check.ts'
import { places, plain } from './support.ts'

const parse = (text: string) => parseYaml(text, { file: 'f.yml' })

describe('YAML', () => {
  it.each([
    ['a: b\n', { a: 'b' }],
    ['a: [x, [y], {z: 1}]\n', { a: ['x', ['y'], { z: '1' }] }],
    ['- a\n- b: c\n  d: e\n-\n', ['a', { b: 'c', d: 'e' }, '']],
    ["a: 'it''s'\nb: \"\\u00e9\\n\"\n", { a: "it's", b: 'é\n' }],
    ['a: |\n  x\n   y\nb: >-\n  x\n  y\n', { a: 'x\n y\n', b: 'x y' }],
    ['---\na: b\n...\n', { a: 'b' }],
    ['007: 007\na: [1e3, 0x1F, 1_000, 12:30, 2024-02-30, no, 1.10]\n', { '007': '007', a: ['1e3', '0x1F', '1_000', '12:30', '2024-02-30', 'no', '1.10'] }], // biome-ignore format: one row
    ["a: ! 'b'\nc: ! ~\n", { a: 'b', c: '~' }],
    ['a: &x [b]\nc: {d: *x}\n', { a: ['b'], c: { d: ['b'] } }],
    ['a: &a {k: 1, l: 2}\nb: &b {l: 3}\nc:\n  k: 5\n  <<: [*a, *b]\n', { a: { k: '1', l: '2' }, b: { l: '3' }, c: { k: '5', l: '2' } }], // biome-ignore format: one row
    ['a: "b\nc"\nd: \'e\n\nf\'\n', { a: 'b c', d: 'e\nf' }],
    ['a: "b\\ud800"', { a: 'b\ufffd' }],
    ['', {}],
  ])('reads %j', (text, expected) => {
    const { value, diagnostics } = parse(text)
    expect([diagnostics, plain(value)]).toEqual([[], expected])
  })

  it('tells what may be null, and the place of everything', () => {
    const { value } = parse('a: ~\nb:\n  - "🙂": "~"\n')
    expect(value).toMatchObject({ at: { line: 1, column: 1 } })
    const entries = value?.kind === 'map' ? value.entries : undefined
    const b = entries?.get('b')
    expect(entries?.get('a')?.value).toMatchObject({ isPlain: true, at: { line: 1, column: 4 } })
    expect(b).toMatchObject({ keyAt: { line: 2, column: 1 }, value: { at: { line: 3 } } })
    const [item] = b?.value.kind === 'list' ? b.value.items : []
    const inner = item?.kind === 'map' ? item.entries.get('🙂')?.value : undefined
    expect(inner).toMatchObject({ isPlain: false, at: { line: 3, column: 11 } })
  })

  it.each<[text: string, place: string, expected?: object]>([
    ['a: &a [*a]\n', '1:8 yaml-alias'],
    ['a: *b\nb: &b c\n', '1:4 yaml-alias'],
    ['a: b\n---\nc: d\n', '2:1 yaml-syntax'],
    ['a: [b\nc: d\n', '1:4 yaml-syntax'],
    ['title:\u00a0T\ndate: 2024', '1:1 yaml-syntax'],
    [`a: &a x\nb: [${Array(101).fill('*a').join(', ')}]\n`, '2:405 yaml-alias'],
    [bomb(5), '5:11 yaml-alias'],
    [`a: &a ${'['.repeat(15)}${']'.repeat(15)}\nb: ${'['.repeat(6)}*a${']'.repeat(6)}`, '1:20 yaml-too-deep'], // biome-ignore format: one row
    ['['.repeat(21), '1:21 yaml-too-deep'],
    ['a: 1\nb: 2\na: 3\n', '3:1 yaml-duplicate-key', { a: '1', b: '2' }],
    ['a: 1\n<<: b\n', '2:1 yaml-merge-key', { a: '1' }],
    ['a: {__proto__: {b: c}}\n', '1:5 yaml-forbidden-key', { a: {} }],
    ['constructor: 1\n', '1:1 yaml-forbidden-key', {}],
    ['? [a]\n: b\n', '1:3 yaml-key', {}],
  ])('refuses %#, and gives no value, or leaves the key out', (text, place, expected) => {
    const { value, diagnostics } = parse(text)
    expect(places(diagnostics)).toEqual([`f.yml:${place}`])
    expect(plain(value)).toEqual(expected)
  })

  it.each([
    ['', '1:1'],
    ['[1,\n]\n', '2:1'],
    ['{}\n# a\n', '2:1'],
    ['{a: 1}', '1:2'],
  ])('refuses %j as JSON', (text, place) => {
    expect(places(readYaml('f.json', text).diagnostics)).toEqual([`f.json:${place} json-syntax`])
  })

  it('has all problems in one run, in the order of the text', () => {
    const text = 'a: *x\nb: !t y\nd: @\na: 2\n__proto__: 3\n'
    expect(places(parse(text).diagnostics)).toEqual([
      'f.yml:1:4 yaml-alias',
      'f.yml:2:4 yaml-tag',
      'f.yml:3:4 yaml-syntax',
      'f.yml:4:1 yaml-duplicate-key',
      'f.yml:5:1 yaml-forbidden-key',
    ])
    expect(parse('- *b\n'.repeat(250)).diagnostics).toHaveLength(250)
  })

  it('is read or refused, whatever it is', () => {
    const seed = ['title: A "quoted" title\n', 'authors:\n  - jane\n  - {name: joe}\n', "y: 'x'\n"]
    const part = fc.oneof(
      fc.constantFrom(...seed, 'x: |\n  block\n', '? key\n: value\n', 'a: &b c\n', 'd: *b\n'),
      fc.constantFrom(...'[]{},:?-&*!|>\'"%@`#~ \t\n\r\\.0a\u0000\u00a0\u2028🙂'),
      fc.constantFrom('---\n', '\r\n', '  ', ': ', '- ', '__proto__: ', '"\\u12', '<<: g\n'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 25 }), (parts) => {
        const lines = parts.join('').split('\n')
        const { value, diagnostics } = parse(parts.join(''))
        expect(value !== undefined || diagnostics.some(isError)).toBe(true)
        for (const { line, column } of diagnostics) {
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

/** Each level has ten of the level below. */
function bomb(levels: number): string {
  const lines = [...'abcdefgh'.slice(0, levels)].map((name, level) => {
    const item = level === 0 ? 'x' : `*${'abcdefgh'.charAt(level - 1)}`
    return `${name}: &${name} [${Array(10).fill(item).join(',')}]`
  })
  return `${lines.join('\n')}\n`
}

describe('TOML', () => {
  const parse = (text: string) => parseToml(text, { file: 'f.md' })

  it.each([
    ['a = "b\\u00e9"\nc = \'d\\\'', { a: 'bé', c: 'd\\' }],
    ['a = [7.0, 1_000, 0x1F, 1e3, true]', { a: ['7.0', '1000', '0x1F', '1e3', 'true'] }],
    ['a = [2024-01-02, 2024-01-02 03:04:05]', { a: ['2024-01-02', '2024-01-02T03:04:05'] }],
    ['a = [\n  "b", # c\n  ["d"],\n]', { a: ['b', ['d']] }],
    ['a = { b = 1, c.d = "e" }', { a: { b: '1', c: { d: 'e' } } }],
    ['x = 1\n[a.b]\nc = 2\n[a]\nd = 3', { x: '1', a: { b: { c: '2' }, d: '3' } }],
    ['[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\nb = 3', { a: [{ b: '1', c: { d: '2' } }, { b: '3' }] }],
  ])('reads %j', (text, expected) => {
    const { value, diagnostics } = parse(text)
    expect([diagnostics, plain(value)]).toEqual([[], expected])
  })

  it.each([
    ['title: Hello', '1:6 toml-syntax', 'quotes'],
    ['a = 1\nb = ', '2:4 toml-syntax', 'key = "value"'],
    ['a = 1\n[b]\n[b]', '3:2 toml-syntax', 'key = "value"'],
    [`a = ${'['.repeat(21)}${']'.repeat(21)}`, '1:1 yaml-too-deep', 'fewer levels'],
    [`a = ${'['.repeat(30_000)}${']'.repeat(30_000)}`, '1:1 yaml-too-deep', 'fewer levels'],
  ])('refuses %#', (text, place, hint) => {
    const { value, diagnostics } = parse(text)
    expect(places(diagnostics)).toEqual([`f.md:${place}`])
    expect(diagnostics[0]?.hint).toContain(hint)
    expect(value).toBeUndefined()
  })

  it.each(['[__proto__]\nb = 1', 'a = { constructor = 1 }', '[[prototype]]\nb=1'])(
    'leaves a key out that could reach a prototype: %j',
    (text) => {
      const { value, diagnostics } = parse(text)
      expect(diagnostics.map(({ code }) => code)).toEqual(['yaml-forbidden-key'])
      expect(JSON.stringify(plain(value))).not.toMatch(/proto|constructor/)
    },
  )
})
