// YAML as data: text as typed, places in the file, and everything refused that content does not need.
import { describe, expect, it } from 'vitest'
import type { Read, YamlValue } from '../../src/content/raw.ts'
import { parseYaml } from '../../src/content/yaml.ts'
import { codes, places, plain, textsIn } from './support.ts'

function parse(text: string, firstLine = 1): Read<YamlValue> {
  return parseYaml(text, { file: 'f.yml', firstLine })
}

describe('parseYaml', () => {
  it.each([
    ['a: b\n', [['a', 'b']]],
    ['a:\n', [['a', '']]],
    [
      'a: # nothing\nb: ~\n',
      [
        ['a', ''],
        ['b', '~'],
      ],
    ],
    ['a: b #c\n', [['a', 'b']]],
    ['a: b#c\n', [['a', 'b#c']]],
    ['"a b": c\n', [['a b', 'c']]],
    ['a: [x, [y], {z: 1}]\n', [['a', ['x', ['y'], [['z', '1']]]]]],
    [
      '- a\n- b: c\n  d: e\n-\n',
      [
        'a',
        [
          ['b', 'c'],
          ['d', 'e'],
        ],
        '',
      ],
    ],
    ['a: x\n  y\n\n  z\n', [['a', 'x y\nz']]],
    ["a: 'it''s'\n", [['a', "it's"]]],
    ['a: "\\u00e9\\n"\n', [['a', 'é\n']]],
    ['a: |\n  x\n   y\n', [['a', 'x\n y\n']]],
    ['a: >-\n  x\n  y\n', [['a', 'x y']]],
    ['? a\n: b\n', [['a', 'b']]],
    ['{a}\n', [['a', '']]],
    [
      'a: x\r\nb: y\r\n',
      [
        ['a', 'x'],
        ['b', 'y'],
      ],
    ],
    ['---\na: b\n...\n', [['a', 'b']]],
    ['just text', 'just text'],
  ])('reads %j', (text, expected) => {
    expect(parse(text)).toMatchObject({ diagnostics: [] })
    expect(plain(parse(text).value)).toEqual(expected)
  })

  it.each(['', '\n\n', '# only\n# comments\n', ' \n\n', '---\n', '---\n...\n'])(
    'reads %j as an empty map',
    (text) => {
      const { value, diagnostics } = parse(text, 7)
      expect(diagnostics).toEqual([])
      expect(value).toMatchObject({ kind: 'map', at: { line: 7, column: 1 } })
      expect(plain(value)).toEqual([])
    },
  )

  it.each([
    ['a: x', true],
    ['a:', true],
    ['a: ~', true],
    ['a: "~"', false],
    ["a: ''", false],
    ['a: |\n  x\n', false],
    ['a: >\n  x\n', false],
  ])('says of %j whether its value is plain', (text, isPlain) => {
    expect(textsIn(parse(text).value)).toMatchObject([{ isPlain }])
  })

  it('counts lines from the first line and columns in UTF-16 code units', () => {
    const { value } = parse('a: x\nb:\n  - "🙂": *\n  - {c: "d"}\n'.replace('*', 'y'), 10)
    expect(textsIn(value).map(({ at }) => `${at.line}:${at.column}`)).toEqual([
      '10:4',
      '12:11',
      '13:9',
    ])
  })

  it('gives the place of every key, and of collections', () => {
    const { value } = parse('a: x\nbc:\n  - y\n')
    expect(value).toMatchObject({ kind: 'map', at: { line: 1, column: 1 } })
    const entries = value?.kind === 'map' ? [...value.entries.values()] : []
    expect(entries).toMatchObject([
      { keyAt: { line: 1, column: 1 }, value: { at: { line: 1, column: 4 } } },
      { keyAt: { line: 2, column: 1 }, value: { kind: 'list', at: { line: 3, column: 3 } } },
    ])
  })

  it.each([
    ['a: *b\n', '1:4 yaml-alias'],
    ['a: &a [*a]\n', '1:8 yaml-alias'],
    ['a: *b\nb: &b c\n', '1:4 yaml-alias'],
    ['a: [x, *b]\n', '1:8 yaml-alias'],
    ['a: !b c\n', '1:4 yaml-tag'],
    ['a: !!str 1\n', '1:4 yaml-tag'],
    ['a: !<constructor> b\n', '1:4 yaml-tag'],
    ['a: b\n---\nc: d\n', '2:1 yaml-syntax'],
    ['a: b\n...\nc: d\n', '3:1 yaml-syntax'],
    ['a: "b\nc: d\n', '1:4 yaml-syntax'],
    ["a: 'b\nc: d\n", '1:4 yaml-syntax'],
    ['a: "b" c\n', '1:8 yaml-syntax'],
    ['a: "\\d"\n', '1:5 yaml-syntax'],
    ['a: b: c\n', '1:4 yaml-syntax'],
    ['a\nb: c\n', '1:1 yaml-syntax'],
    ['a:\n\tb: c\n', '2:1 yaml-syntax'],
    ['a: @b\n', '1:4 yaml-syntax'],
    ['a: [b\nc: d\n', '1:4 yaml-syntax'],
    ['a: [b', '1:4 yaml-syntax'],
    ['a: {b: 1\nc: d\n', '1:4 yaml-syntax'],
    ['a: [b, [c]\nd: e\n', '1:4 yaml-syntax'],
    ['a:\n  - [b,\n     c\nd: e\n', '2:5 yaml-syntax'],
    ['a: [b, "c]\nd: e\n', '1:4 yaml-syntax'],
    ['a: }\n', '1:4 yaml-syntax'],
    [' a: b\nc: d\n', '2:1 yaml-syntax'],
    ['a: - b\n', '1:4 yaml-syntax'],
    ['a: b\0c\n', '1:5 yaml-syntax'],
    ['a: b\u001f\n', '1:5 yaml-syntax'],
    ['a: b\rc: d\n', '1:5 yaml-syntax'],
  ])('refuses %j, and gives no value', (text, place) => {
    const { value, diagnostics } = parse(text)
    expect(places(diagnostics)).toEqual([`f.yml:${place}`])
    expect(value).toBeUndefined()
  })

  it.each([
    [
      'a: 1\nb: 2\na: 3\n',
      '3:1 yaml-duplicate-key',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a: {b: 1, "b": 2}\n', '1:11 yaml-duplicate-key', [['a', [['b', '1']]]]],
    ['a: 1\n<<: b\n', '2:1 yaml-merge-key', [['a', '1']]],
    ['a: {__proto__: 1}\n', '1:5 yaml-forbidden-key', [['a', []]]],
    ['constructor: 1\n', '1:1 yaml-forbidden-key', []],
    ['"prototype": 1\n', '1:1 yaml-forbidden-key', []],
    ['? [a]\n: b\n', '1:3 yaml-key', []],
    ['? {a: b}\n: c\n', '1:3 yaml-key', []],
    ['? |\n  a\n: b\n', '1:3 yaml-key', []],
    ['a: &a b\n*a : c\n', '2:1 yaml-key', [['a', 'b']]],
    [': a\nb: c\n', '1:1 yaml-key', [['b', 'c']]],
  ])('refuses the key in %j, and leaves it out', (text, place, expected) => {
    const { value, diagnostics } = parse(text)
    expect(places(diagnostics)).toEqual([`f.yml:${place}`])
    expect(plain(value)).toEqual(expected)
  })

  it.each([
    ["a: ! 'b'\n", [['a', 'b']]],
    ['a: ! ~\n', [['a', '~']]],
    [
      'a: &x b\nc: *x\n',
      [
        ['a', 'b'],
        ['c', 'b'],
      ],
    ],
    [
      'a: &x [b]\nc: {d: *x}\n',
      [
        ['a', ['b']],
        ['c', [['d', ['b']]]],
      ],
    ],
    [
      'a: &x b\nc: &x d\ne: *x\n',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'd'],
      ],
    ],
    ['a:\n  <<: {b: c}\n', [['a', [['b', 'c']]]]],
    ['"<<": a\n', [['<<', 'a']]],
    [
      'a: "b\nc"\nd: e\n',
      [
        ['a', 'b c'],
        ['d', 'e'],
      ],
    ],
    [
      "a:\n  b: 'c\n\nd'\n  e: f\n",
      [
        [
          'a',
          [
            ['b', 'c\nd'],
            ['e', 'f'],
          ],
        ],
      ],
    ],
  ])('reads %j', (text, expected) => {
    const { value, diagnostics } = parse(text)
    expect(diagnostics).toEqual([])
    expect(plain(value)).toEqual(expected)
  })

  it('takes a plain scalar with the tag "!" for text, whatever it says', () => {
    expect(textsIn(parse('a: ! null\n').value)).toMatchObject([{ isPlain: false }])
  })

  it('finds all problems in one run, in the order of the text', () => {
    const text = 'a: *x\nb: !t y\nd: @\na: 2\n__proto__: 3\nc: "z\n'
    expect(places(parse(text, 2).diagnostics)).toEqual([
      'f.yml:2:4 yaml-alias',
      'f.yml:3:4 yaml-tag',
      'f.yml:4:4 yaml-syntax',
      'f.yml:5:1 yaml-duplicate-key',
      'f.yml:6:1 yaml-forbidden-key',
      'f.yml:7:4 yaml-syntax',
    ])
  })

  it('leaves the stack traces of other errors alone', () => {
    const limit = Error.stackTraceLimit
    parse('a: @\n')
    expect(Error.stackTraceLimit).toBe(limit)
  })

  it('says what to do, with the text of the line', () => {
    expect(parse('# title\ntitle: Quarry: a tool\n').diagnostics).toEqual([
      {
        code: 'yaml-syntax',
        severity: 'error',
        file: 'f.yml',
        line: 2,
        column: 8,
        message: 'A value with ": " must be quoted.',
        hint: 'Put the value in quotes.',
        lineText: 'title: Quarry: a tool',
      },
    ])
  })

  it('leaves out the text of a line that is far too long to show', () => {
    const [diagnostic] = parse(`a: [*x, ${'y'.repeat(600)}]\n`).diagnostics
    expect(diagnostic).toMatchObject({ code: 'yaml-alias', column: 5 })
    expect(diagnostic).not.toHaveProperty('lineText')
  })

  it('reports at most a hundred problems', () => {
    expect(parse('a: *b\n'.repeat(250)).diagnostics).toHaveLength(100)
  })

  it.each([
    ['lists in lists', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['maps in maps', (depth: number) => '{a: '.repeat(depth) + '}'.repeat(depth)],
    ['block lists', (depth: number) => `${'- '.repeat(depth)}a\n`],
  ])('refuses %s from the 21st level on', (_name, nest) => {
    expect(codes(parse(nest(20)).diagnostics)).not.toContain('yaml-too-deep')
    expect(codes(parse(nest(21)).diagnostics)).toEqual(['yaml-too-deep'])
  })
})
