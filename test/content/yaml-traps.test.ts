// What YAML libraries do with hostile or careless text, each shown on the bare library first.
import matter from 'gray-matter'
import { describe, expect, it } from 'vitest'
import { Composer, Parser, parse as parseBare } from 'yaml'
import { parseYaml } from '../../src/content/yaml.ts'
import { codes, places, plain } from './support.ts'

const place = { file: 'f.yml', firstLine: 1 }

// js-yaml, which gray-matter brings along.
function parseWithJsYaml(text: string): { readonly [key: string]: unknown } {
  return matter(`---\n${text}\n---\n`, {}).data
}

describe('values as they were typed', () => {
  it.each([
    ['123', 123],
    ['007', 7],
    ['1e3', 1000],
    ['0x1F', 31],
    ['1_000', 1000],
    ['12:30', 750],
    ['2024-01-01', new Date('2024-01-01T00:00:00Z')],
    ['2024-02-30', new Date('2024-03-01T00:00:00Z')],
    ['true', true],
    ['1.10', 1.1],
  ])('keeps %s, which js-yaml makes %j', (typed, made) => {
    expect(parseWithJsYaml(`slug: ${typed}`)).toEqual({ slug: made })
    expect(plain(parseYaml(`slug: ${typed}`, place).value)).toEqual([['slug', typed]])
  })

  it.each([
    ['no', false],
    ['on', true],
    ['1:30', 90],
  ])('keeps %s, which YAML 1.1 makes %j', (typed, made) => {
    expect(parseBare(`slug: ${typed}`, { version: '1.1' })).toEqual({ slug: made })
    expect(plain(parseYaml(`slug: ${typed}`, place).value)).toEqual([['slug', typed]])
  })

  it('keeps a key that would be a number', () => {
    expect(parseBare('007: a')).toEqual({ 7: 'a' })
    expect(plain(parseYaml('007: a', place).value)).toEqual([['007', 'a']])
  })
})

describe('hostile YAML', () => {
  it('refuses aliases, of which 230 bytes make 400 kB', () => {
    const bomb = aliasBomb(5)
    expect(bomb.length).toBeLessThan(240)
    expect(JSON.stringify(parseWithJsYaml(bomb)).length).toBeGreaterThan(400_000)
    const { value, diagnostics } = parseYaml(bomb, place)
    expect(value).toBeUndefined()
    expect(codes(diagnostics)).toEqual(['yaml-alias'])
  })

  it('refuses aliases that nest a few levels into hundreds', () => {
    const open = '['.repeat(15)
    const lines = Array.from({ length: 50 }, (_, level) => {
      return `k${level}: &k${level} ${open}${level === 0 ? 'x' : `*k${level - 1}`}${']'.repeat(15)}`
    })
    const { value, diagnostics } = parseYaml(lines.join('\n'), place)
    expect(value).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'yaml-too-deep', line: 2 }])
  })

  it.each([100, 101])('reads 100 aliases of a file: %i', (count) => {
    const text = `a: &a x\nb: [${Array(count).fill('*a').join(', ')}]\n`
    const { value, diagnostics } = parseYaml(text, place)
    expect(places(diagnostics)).toEqual(count === 100 ? [] : ['f.yml:2:405 yaml-alias'])
    expect(value === undefined).toBe(count === 101)
  })

  it('reads merge keys as js-yaml does', () => {
    const text =
      'a: &a {k: 1, l: 2}\nb: &b {l: 3, m: 4}\nc:\n  <<: *a\n  k: 5\nd:\n  m: 6\n  <<: [*a, *b]\n'
    const { value, diagnostics } = parseYaml(text, place)
    expect(diagnostics).toEqual([])
    const { c, d } = Object.fromEntries(plain(value) as [string, [string, string][]][])
    const expected = parseWithJsYaml(text) as Record<string, Record<string, number>>
    expect(Object.fromEntries(c ?? [])).toEqual({ k: '5', l: '2' })
    expect(expected['c']).toEqual({ k: 5, l: 2 })
    expect(Object.fromEntries(d ?? [])).toEqual({ m: '6', k: '1', l: '2' })
    expect(expected['d']).toEqual({ m: 6, k: 1, l: 2 })
  })

  it('refuses __proto__, which a copy of the data takes for its prototype', () => {
    const text = '__proto__: {admin: true}\ntitle: a\n'
    expect(Object.assign({}, parseBare(text))).toMatchObject({ admin: true })
    const { value, diagnostics } = parseYaml(text, place)
    expect(places(diagnostics)).toEqual(['f.yml:1:1 yaml-forbidden-key'])
    expect(plain(value)).toEqual([['title', 'a']])
    expect(Object.prototype).not.toHaveProperty('admin')
  })

  it('names the place of every duplicate key, where js-yaml stops at the first problem', () => {
    const text = 'a: 1\na: 2\nb: 3\nb: 4\n'
    expect(() => parseWithJsYaml(text)).toThrow('duplicated mapping key')
    expect(places(parseYaml(text, place).diagnostics)).toEqual([
      'f.yml:2:1 yaml-duplicate-key',
      'f.yml:4:1 yaml-duplicate-key',
    ])
  })

  it('finds duplicate keys without comparing each with each', () => {
    expect(comparisons(400) / comparisons(200)).toBeGreaterThan(3.9)
    const { value } = parseYaml(distinctKeys(20_000), place)
    expect(value?.kind === 'map' && value.entries.size).toBe(20_000)
  })

  it('refuses a tag, which js-yaml makes bytes of', () => {
    expect(parseWithJsYaml('a: !!binary aGk=')['a']).toBeInstanceOf(Uint8Array)
    expect(places(parseYaml('a: !!binary aGk=', place).diagnostics)).toEqual(['f.yml:1:4 yaml-tag'])
  })

  it('refuses depth before anything recurses', () => {
    const deep = '['.repeat(60_000)
    expect(() => parseWithJsYaml(deep)).toThrow(RangeError)
    const documents = [...new Composer().compose(new Parser().parse(deep))]
    expect(documents[0]?.errors[0]?.message).toContain('call stack')
    expect(places(parseYaml(deep, place).diagnostics)).toEqual(['f.yml:1:21 yaml-too-deep'])
  })
})

// Ten of the level below, on each level.
function aliasBomb(levels: number): string {
  const names = 'abcdefgh'.slice(0, levels)
  const lines = [...names].map((name, level) => {
    const item = level === 0 ? 'x' : `*${names.charAt(level - 1)}`
    return `${name}: &${name} [${Array(10).fill(item).join(',')}]`
  })
  return `${lines.join('\n')}\n`
}

function comparisons(keys: number): number {
  let count = 0
  const uniqueKeys = (): boolean => {
    count += 1
    return false
  }
  parseBare(distinctKeys(keys), { uniqueKeys })
  return count
}

function distinctKeys(count: number): string {
  return Array.from({ length: count }, (_, index) => `k${index}: v\n`).join('')
}

describe('characters that look like spaces', () => {
  it.each([
    ['title:\u00a0T\ndate: 2024', '1:7', 'U+00A0'],
    ['title: T\ntags:\n\u00a0 - a', '3:1', 'U+00A0'],
    ['a:\n  b: 1\n \u2003c: 2', '3:2', 'U+2003'],
    ['a: 1\nb:\u202f2\nc: 3', '2:3', 'U+202F'],
  ])('are named where YAML needs a space: %j', (text, at, name) => {
    const { diagnostics } = parseYaml(text, place)
    expect(diagnostics.map(({ line, column }) => `${line}:${column}`)).toEqual([at])
    expect(diagnostics[0]?.message).toContain(name)
  })

  it('are not blamed for another mistake', () => {
    const { diagnostics } = parseYaml('title: Prix\u00a0: dix: onze', place)
    expect(diagnostics[0]?.message).toBe('A value with ": " must be quoted.')
    expect(plain(parseYaml('title: \u00a0T\u00a0x', place).value)).toEqual([
      ['title', '\u00a0T\u00a0x'],
    ])
  })
})
