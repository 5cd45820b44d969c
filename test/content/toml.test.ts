// TOML as data: values as typed, with their places, and what is wrong with a text.
import { describe, expect, it } from 'vitest'
import { parseToml } from '../../src/content/toml.ts'
import { places, plain } from './support.ts'

function parse(text: string): ReturnType<typeof parseToml> {
  return parseToml(text, { file: 'f.md', firstLine: 1 })
}

describe('TOML', () => {
  it.each([
    [
      'a = "b\\u00e9"\nc = \'d\\\'',
      [
        ['a', 'bé'],
        ['c', 'd\\'],
      ],
    ],
    ['a = """\nx\ny"""', [['a', 'x\ny']]],
    ['a = 7.0', [['a', '7.0']]],
    [
      'a = 1_000\nb = 0x1F\nc = 1e3\nd = true',
      [
        ['a', '1000'],
        ['b', '0x1F'],
        ['c', '1e3'],
        ['d', 'true'],
      ],
    ],
    ['a = 2024-01-02', [['a', '2024-01-02']]],
    ['a = 2024-01-02 03:04:05', [['a', '2024-01-02T03:04:05']]],
    ['a = 2024-01-02t03:04:05.5z', [['a', '2024-01-02T03:04:05.5Z']]],
    ['a = 2024-01-02T03:04:05-07:00', [['a', '2024-01-02T03:04:05-07:00']]],
    ['a = [\n  "b", # c\n  ["d"],\n]', [['a', ['b', ['d']]]]],
    [
      'a = { b = 1, c.d = "e" }',
      [
        [
          'a',
          [
            ['b', '1'],
            ['c', [['d', 'e']]],
          ],
        ],
      ],
    ],
    [
      'a.b = 1\na.c = 2',
      [
        [
          'a',
          [
            ['b', '1'],
            ['c', '2'],
          ],
        ],
      ],
    ],
    [
      'x = 1\n[a.b]\nc = 2\n[a]\nd = 3',
      [
        ['x', '1'],
        [
          'a',
          [
            ['b', [['c', '2']]],
            ['d', '3'],
          ],
        ],
      ],
    ],
    [
      '[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\nb = 3',
      [
        [
          'a',
          [
            [
              ['b', '1'],
              ['c', [['d', '2']]],
            ],
            [['b', '3']],
          ],
        ],
      ],
    ],
    [
      '"a b" = 1\n\'c.d\' = 2',
      [
        ['a b', '1'],
        ['c.d', '2'],
      ],
    ],
    ['', []],
    ['# a comment\n', []],
  ])('reads %j', (text, expected) => {
    const { value, diagnostics } = parse(text)
    expect(diagnostics).toEqual([])
    expect(plain(value)).toEqual(expected)
  })

  it('gives each key and value its place', () => {
    const { value } = parse('a = 1\n\n[b]\n  c = ["d",\n    "e"]\n')
    if (value?.kind !== 'map') throw new Error('TOML is a map')
    expect(value.entries.get('a')?.value.at).toEqual({ line: 1, column: 5 })
    expect(value.entries.get('b')?.keyAt).toEqual({ line: 3, column: 2 })
    const b = value.entries.get('b')?.value
    const list = b?.kind === 'map' ? b.entries.get('c') : undefined
    expect(list?.keyAt).toEqual({ line: 4, column: 3 })
    expect(list?.value).toMatchObject({
      items: [{ at: { line: 4 } }, { at: { line: 5, column: 5 } }],
    })
  })

  it.each([
    ['title: Hello', '1:6 toml-syntax', 'quotes'],
    ['title = Hello', '1:9 toml-syntax', 'quotes'],
    ['a = 1\nb = ', '2:5 toml-syntax', 'key = "value"'],
    ['a = "b', '1:7 toml-syntax', 'Close it'],
    ['a = 1\n[b]\n[b]', '3:2 toml-syntax', 'Remove it'],
    ['a = 2024-02-30', '1:14 toml-syntax', 'dates'],
    [`a = ${'['.repeat(21)}${']'.repeat(21)}`, '1:24 yaml-too-deep', 'Flatten'],
    [`a = ${'['.repeat(30_000)}${']'.repeat(30_000)}`, '1:1 yaml-too-deep', 'Flatten'],
    [`a${'.a'.repeat(30)} = 1`, '1:1 yaml-too-deep', 'Flatten'],
    [`[a${'.a'.repeat(30)}]\nb = 1`, '1:2 yaml-too-deep', 'Flatten'],
  ])('refuses a text: %#', (text, place, hint) => {
    const { value, diagnostics } = parse(text)
    expect(places(diagnostics)).toEqual([`f.md:${place}`])
    expect(diagnostics[0]?.hint).toContain(hint)
    expect(value).toBeUndefined()
  })

  it.each([
    '__proto__ = 1\na = 2',
    '[__proto__]\nb = 1',
    '__proto__.b = 1',
    'a = { constructor = 1 }',
    '[[prototype]]\nb = 1',
  ])('leaves a key out that could reach a prototype: %j', (text) => {
    const { value, diagnostics } = parse(text)
    expect(diagnostics.map(({ code }) => code)).toEqual(['yaml-forbidden-key'])
    expect(JSON.stringify(plain(value))).not.toMatch(/proto|constructor/)
    expect(Reflect.get({}, 'b')).toBeUndefined()
  })
})
