// What gray-matter does with hostile or careless files, each shown on the bare library first.
import matter from 'gray-matter'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readDocument } from '../../src/content/front-matter.ts'
import { codes, plain } from './support.ts'

const MARK = 'quarryTrap'

function isMarked(): boolean {
  return Reflect.has(globalThis, MARK)
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, MARK)
})

describe('engines', () => {
  it.each(['js', 'javascript', 'JS', 'JavaScript'])('never runs a block of ---%s', (language) => {
    const text = `---${language}\nglobalThis.${MARK} = true\n---\nbody`
    expect(codes(readDocument('a.md', text).diagnostics)).toEqual(['front-matter-language'])
    expect(isMarked()).toBe(false)
    matter(text, {})
    expect(isMarked()).toBe(true)
  })

  it('never takes Object for an engine, as ---constructor does', () => {
    const text = '---constructor\nfoo\n---\nbody'
    expect(matter(text, {}).data).toBeInstanceOf(String)
    expect(codes(readDocument('a.md', text).diagnostics)).toEqual(['front-matter-language'])
  })
})

describe('the cache', () => {
  it('tells of a broken file every time', () => {
    const text = '---\na: [cached\n---\nbody'
    expect(() => matter(text)).toThrow()
    expect(matter(text)).toMatchObject({ data: {}, content: text })
    const first = readDocument('a.md', text)
    expect(codes(first.diagnostics)).toEqual(['yaml-syntax'])
    expect(readDocument('a.md', text)).toEqual(first)
  })

  it('shares no front matter between two readings', () => {
    const text = '---\na: {b: shared}\n---\nbody'
    matter(text).data['a'].b = 'changed'
    expect(matter(text).data).toEqual({ a: { b: 'changed' } })
    const first = readDocument('a.md', text).value
    const second = readDocument('a.md', text).value
    expect(plain(second?.frontMatter)).toEqual([['a', [['b', 'shared']]]])
    expect(second?.frontMatter).not.toBe(first?.frontMatter)
  })

  it('is never filled', () => {
    const text = '---\na: never cached\n---\nbody'
    readDocument('a.md', text)
    expect(Reflect.get(matter, 'cache')).not.toHaveProperty([text])
  })
})

describe('fences', () => {
  it('refuses a file without a closing fence, which would be all front matter', () => {
    const text = '---\ntitle: a\n'
    expect(matter(text, {})).toMatchObject({ data: { title: 'a' }, content: '' })
    expect(codes(readDocument('a.md', text).diagnostics)).toEqual(['front-matter-unclosed'])
  })

  it.each(['---foo', '----', '---\u00a0'])('refuses %j as the end of the block', (line) => {
    const text = `---\ntitle: a\n${line}\nbody`
    const { content } = matter(text, {})
    expect(content).toBe(`${line.slice(3)}\nbody`.replace(/^\n/u, ''))
    expect(codes(readDocument('a.md', text).diagnostics)).toEqual(['front-matter-fence'])
  })
})

describe('the search for comments', () => {
  it('is not made over long runs of white space, where it is quadratic', () => {
    const text = `---\ntitle: a${'\n'.repeat(16_000)}---\nbody`
    const ours = searchedLength(() => readDocument('a.md', text))
    const bare = searchedLength(() => matter(text, { engines: { yaml: () => ({}) } }))
    expect(codes(readDocument('a.md', text).diagnostics)).toEqual(['front-matter-blank-run'])
    expect([ours, bare]).toEqual([0, 16_008])
  })
})

/** Code units in which a call searches for comments; 0 when it does not. */
function searchedLength(run: () => unknown): number {
  const replace = vi.spyOn(String.prototype, 'replace')
  run()
  const { calls, contexts } = replace.mock
  const searched = contexts.filter((_, at) => String(calls[at]?.[0]) === '/^\\s*#[^\\n]+/gm')
  replace.mockRestore()
  return searched.map(String).join('').length
}
