// A tree parsed without trying what cannot match is the tree that is parsed by trying everything.
// Knows nothing of HTML.
import fc from 'fast-check'
import type { Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { type Processor, unified } from 'unified'
import { describe, expect, it } from 'vitest'
import { parseMarkdown } from '../../src/markdown/processor.ts'
import { absentConstructs, withoutConstructs } from '../../src/markdown/rare-constructs.ts'
import { noteDestinations } from '../../src/markdown/spans.ts'

const whole = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(function (this: Processor) {
    const data: { fromMarkdownExtensions?: unknown[] } = this.data()
    data.fromMarkdownExtensions?.push(noteDestinations)
  })
  .freeze()

const pieces = [
  ...[
    'a',
    'word',
    'a@b.co',
    'x@',
    '@y',
    'b.c',
    '.',
    '_',
    '*',
    '**',
    '~',
    '`',
    '\\',
    '\\@',
    '&#64;',
  ],
  ...[
    '|',
    '-',
    ':',
    '--',
    ':-',
    '|-|',
    '| a |',
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    '> ',
    '- ',
    '1. ',
    '    ',
  ],
  ...[
    ' ',
    '\t',
    '  ',
    '[x] ',
    '[^1]',
    '[^1]: ',
    '[a](b@c.de)',
    '<a@b.co>',
    'www.a.b',
    'https://a@b.c/',
  ],
  ...[
    '```',
    '# ',
    '\0',
    '\u2028',
    '\ufeff',
    'é@é.fr',
    '日本@a.jp',
    'mailto:a@b.co',
    'xmpp:a@b.co/r',
    'WWW.a.b',
    'http\\://a.b',
    'http&#58;//a.b',
    '&#119;ww.a.b',
    '<!-- ',
    '![',
    '](',
  ],
]

describe('parsing without trying what cannot match', () => {
  it('gives the same tree, positions too', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), (parts) => {
        const body = parts.join('')
        expect(treeOf(parseMarkdown, body)).toEqual(treeOf((text) => whole.parse(text), body))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['prose, with a - b: c', ['emailAutolink', 'table']],
    ['write to a@b', ['table']],
    ['@decorated', ['emailAutolink', 'table']],
    ['a\n:-', ['emailAutolink']],
    ['> a | b\r> - | - \t\r', ['emailAutolink']],
    ['a@b\n|-', []],
    ['a | b\n- \\| c', ['emailAutolink', 'table']],
  ])('knows of %j what cannot match', (body, absent) => {
    expect(absentConstructs(body)).toEqual(absent)
  })

  it('knows the constructs by the names that they have', () => {
    const absent = absentConstructs('')
    const { micromarkExtensions = [] }: { micromarkExtensions?: unknown[] } = whole.data()
    const left = micromarkExtensions.map((extension) => withoutConstructs(extension, absent))
    expect(absent.filter((name) => namesIn(micromarkExtensions).has(name))).toEqual(absent)
    expect(absent.filter((name) => namesIn(left).has(name))).toEqual([])
    expect(namesIn(left).size).toBe(namesIn(micromarkExtensions).size - absent.length)
  })
})

/** Its bugs too: the packages' builds for development refuse what the others let pass. */
function treeOf(parse: (body: string) => Root, body: string): unknown {
  try {
    return JSON.parse(JSON.stringify(parse(body)))
  } catch (error) {
    return String(error)
  }
}

/** Names of all constructs, wherever they stand. */
function namesIn(value: unknown): ReadonlySet<string> {
  const names = [...JSON.stringify(value).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name ?? '')
  return new Set(names)
}
