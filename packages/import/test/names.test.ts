import { describe, expect, it } from 'vitest'
import { FieldTypes } from '../src/field-types.ts'
import { Ledger } from '../src/ledger.ts'
import { Slugs } from '../src/slugs.ts'
import { Terms } from '../src/terms.ts'

describe('slugs of posts', () => {
  it('stay as they are, and are made unique by year, date and number', () => {
    const report = new Ledger()
    const slugs = new Slugs(report)
    const claim = (slug: string, date?: string) => slugs.claim({ slug, date, from: 'x' })
    expect([
      claim('Hello'),
      claim('hello', '2024-05-06'),
      claim('hello', '2024-07-08'),
      claim('hello', '2024-07-08'),
      claim('ünï code'),
      claim('???'),
    ]).toEqual(['Hello', 'hello-2024', 'hello-2024-07-08', 'hello-2', 'ünï-code', 'post'])
    expect(report.entries('changed').map(({ text, count }) => [text, count])).toEqual([
      ['slug made unique', 3],
      ['slug made valid', 2],
    ])
  })

  it('make aliases of paths that nothing else has', () => {
    const slugs = new Slugs(new Ledger())
    slugs.claim({ slug: 'taken', from: 'x' })
    const paths = ['/2019/05/old-name.html', '/blog/older/', '/taken', '/older', '/', '/a%20b']
    expect(paths.map((path) => slugs.claimAlias(path))).toEqual([
      'old-name',
      'older',
      ...[undefined, undefined, undefined, undefined],
    ])
  })
})

describe('terms', () => {
  it('are named by the most frequent spelling, and told apart by + and #', () => {
    const terms = new Terms()
    for (const name of [
      'javascript',
      'JavaScript',
      'JavaScript',
      'C',
      'C++',
      'C#',
      'Node.js',
      'node js',
    ])
      terms.observe('tags', name, 'a.md')
    expect(
      [...terms.documents(new Ledger())].map(({ slug, fields }) => [slug, fields['name']]),
    ).toEqual([
      ['javascript', 'JavaScript'],
      ['c', 'C'],
      ['c-plus-plus', 'C++'],
      ['c-sharp', 'C#'],
      ['node-js', 'Node.js'],
    ])
    expect(terms.slugOf('tags', 'NODE-JS')).toBe('node-js')
    expect(terms.slugOf('tags', 'other')).toBeUndefined()
  })

  it('are resolved through records by key and by name', () => {
    const terms = new Terms()
    const fields = { image: '/ada.png' }
    terms.define({ kind: 'authors', key: 'ada', name: 'Ada Lovelace', fields, from: 'authors.yml' })
    terms.observe('authors', 'Ada Lovelace', 'a.md')
    terms.observe('authors', 'ada', 'b.md')
    expect([...terms.documents(new Ledger())]).toMatchObject([
      { kind: 'authors', slug: 'ada', fields: { name: 'Ada Lovelace', image: '/ada.png' } },
    ])
  })
})

describe('custom fields', () => {
  it('have the type that all values share', () => {
    const types = new FieldTypes()
    const values = {
      n: [1, 2],
      b: [true, false],
      d: ['2024-05-06', '2024-05-06 10:00'],
      t: [1, 'x'],
      q: ['1.10'],
    }
    const lists = { l: [['a'], 'b'], m: [{ a: 1 }], _bad: ['x'], blank: ['', null, []] }
    for (const [name, list] of Object.entries({ ...values, ...lists })) {
      for (const value of list) types.observe(name, value)
    }
    expect([...types.types]).toEqual([
      ['n', 'number'],
      ['b', 'boolean'],
      ['d', 'date'],
      ['t', 'text'],
      ['q', 'text'],
      ['l', 'list'],
      ['m', 'text'],
    ])
    expect(types.shape('n', 1)).toBe(1)
    expect(types.shape('t', 1.1, '1.10')).toBe('1.10')
    expect(types.shape('l', 'b')).toEqual(['b'])
    expect(types.shape('m', { a: 1 })).toBe('{"a":1}')
    expect(types.shape('_bad', 'x')).toBeUndefined()
  })
})
