import type { Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { describe, expect, it } from 'vitest'
import { mayHaveLiteralLink, sparingLiteralLinks } from '../../src/markdown/rare-constructs.ts'

const commonMark = unified().use(remarkParse).freeze()
const gfm = unified().use(remarkParse).use(remarkGfm).freeze()

describe('a literal link', () => {
  it.each([
    ['see example.org', false],
    ['[see](https://example.org "www.")', false],
    ['[www.example.org](/a) `a@b.co` <https://example.org>', false],
    ['[www.example.org][a]\n\n[a]: /a', false],
    ['# A *WWW.example*', true],
    ['> - a&commat;b.co', true],
    ['- > ![a](/a)\\\n  http\\://example.org', true],
  ])('may be in %j: %s', (body, isPossible) => {
    expect(mayHaveLiteralLink(commonMark.parse(body))).toBe(isPossible)
  })

  it('is looked for by the one extension that knows of them, and there alone', () => {
    const { fromMarkdownExtensions = [] }: { fromMarkdownExtensions?: unknown[] } = gfm.data()
    const [given, spared] = [fromMarkdownExtensions, sparingLiteralLinks(fromMarkdownExtensions)]
    const transforms = transformsIn(given)
    expect(transforms).toHaveLength(1)
    expect(transformsIn(spared)).toHaveLength(1)
    const untouched: Root = Object.freeze({ type: 'root', children: [] })
    for (const transform of transformsIn(spared)) expect(transform(untouched)).toBeUndefined()
  })
})

function transformsIn(extensions: unknown): readonly ((tree: Root) => unknown)[] {
  return [extensions]
    .flat(Number.POSITIVE_INFINITY)
    .flatMap((extension) => (extension as { transforms?: [] }).transforms ?? [])
}
