// A tree parsed without trying what cannot match is the tree that is parsed by trying everything.
// Knows nothing of HTML.

import type { Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { type Processor, unified } from 'unified'
import { describe, expect, it } from 'vitest'
import { parseMarkdown } from '../../src/markdown/processor.ts'
import { mayHaveMail, tableLines, withoutMail } from '../../src/markdown/rare-constructs.ts'
import { noteDestinations } from '../../src/markdown/spans.ts'
import fc from '../support/fast-check.ts'

const whole = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(function (this: Processor) {
    const data: { fromMarkdownExtensions?: unknown[] } = this.data()
    data.fromMarkdownExtensions?.push(noteDestinations)
  })
  .freeze()

const samples = [
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
    'c\n|-|\n',
    '\n \n',
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
      fc.property(fc.array(fc.constantFrom(...samples), { maxLength: 24 }), (parts) => {
        const body = parts.join('')
        expect(treeOf(parseMarkdown, body)).toEqual(treeOf((text) => whole.parse(text), body))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['prose', false],
    ['@decorated', false],
    ['a @ b', false],
    ['write to a@b', true],
    ['a+@b', true],
  ])('knows of %j whether it may have an address of mail: %j', (body, has) => {
    expect(mayHaveMail(body)).toBe(has)
  })

  it.each([
    ['prose, with a - b: c\n---\n', []],
    ['a | b\n- \\| c', []],
    ['a\n:-', [1, 2]],
    ['prose\n\na | b\r\n-|-\nc\n\nprose\na', [3, 4, 5, 6]],
    ['> a | b\r> - | - \t\r', [1, 2, 3]],
    ['a\n|-|\nb\n|-|\n \nc', [1, 2, 3, 4, 5, 6]],
  ])('knows of %j on which lines a table may stand', (body, lines) => {
    expect([...tableLines(body)].sort()).toEqual(lines)
  })

  it('looks at a megabyte of dashes once', () => {
    expect(tableLines(`${'-'.repeat(1_000_000)}x`).size).toBe(0)
  })

  it('knows the constructs by the names that they have', () => {
    const { micromarkExtensions = [] }: { micromarkExtensions?: unknown[] } = whole.data()
    const names = namesIn(micromarkExtensions)
    const left = namesIn(micromarkExtensions.map(withoutMail))
    expect(names).toContain('table')
    expect([...names].filter((name) => !left.has(name))).toEqual(['emailAutolink'])
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
