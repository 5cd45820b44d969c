// Lone surrogates in YAML escapes: U+FFFD, and a warning with its place.
import { describe, expect, it } from 'vitest'
import type { Read, YamlValue } from '../../src/content/raw.ts'
import { parseYaml } from '../../src/content/yaml.ts'
import { places, plain } from './support.ts'

function parse(text: string): Read<YamlValue> {
  return parseYaml(text, { file: 'f.yml', firstLine: 1 })
}

describe('parseYaml', () => {
  it.each([
    ['a: "b\\ud800c"\n', '1:6', [['a', 'b\ufffdc']]],
    ['a: "\\udc00\\ud800"\n', '1:5', [['a', '\ufffd\ufffd']]],
    ['a: "\\U0000DFFF"\n', '1:5', [['a', '\ufffd']]],
    ['a: "\\\\ud800 \\n\\uDBFF"\n', '1:15', [['a', '\\ud800 \n\ufffd']]],
    ['a: "\\ud83d\\ude00\\ude00"\n', '1:17', [['a', '😀\ufffd']]],
    ['a: "b\n  c\\ud800"\n', '2:4', [['a', 'b c\ufffd']]],
    ['{"\\ud800": [b]}\n', '1:3', [['\ufffd', ['b']]]],
  ])('reads the lone surrogate in %j as U+FFFD, with a warning', (text, place, expected) => {
    const { value, diagnostics } = parse(text)
    expect(places(diagnostics)).toEqual([`f.yml:${place} yaml-lone-surrogate`])
    expect(diagnostics[0]?.severity).toBe('warning')
    expect(plain(value)).toEqual(expected)
  })

  it.each(['a: "\\ud83d\\ude00"\n', "a: '\\ud800'\n", 'a: "\\\\ud800"\n', 'a: "\\U0001F600 😀"\n'])(
    'finds no lone surrogate in %j',
    (text) => expect(parse(text).diagnostics).toEqual([]),
  )

  it('reports an error on the line of a lone surrogate, and as an error beyond the hundredth problem', () => {
    expect(places(parse('a: {b: "\\ud800", c: @d}\n').diagnostics)).toEqual([
      'f.yml:1:9 yaml-lone-surrogate',
      'f.yml:1:21 yaml-syntax',
    ])
    const warnings = Array.from({ length: 150 }, (_, key) => `k${key}: "\\ud800"\n`).join('')
    expect(parse(warnings).diagnostics.at(-1)).toMatchObject({ line: 101, severity: 'warning' })
    expect(parse(`${warnings}k1: x\n`).diagnostics.at(-1)).toMatchObject({
      line: 151,
      severity: 'error',
      message: '51 more problems follow in this file.',
    })
  })
})
