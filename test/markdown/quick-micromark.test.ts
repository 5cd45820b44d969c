// The parser as the render thread has it finds what the packages find as they are, to the position.
// Knows nothing of HTML.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import glob from 'fast-glob'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import fc from '../support/fast-check.ts'
import { bundleForThread } from '../support/thread-bundle.ts'

type Parse = (body: string) => unknown

const folder = mkdtempSync(join(tmpdir(), 'quarry-parser-'))
let quick: Parse
let plain: Parse

beforeAll(async () => {
  quick = await parserWith('quick', true)
  plain = await parserWith('plain', false)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the parser of the render thread', () => {
  it('is bundled with every edit in its place', () => {
    for (const file of [bundled('quick'), '.lib/render-worker.js']) {
      const text = readFileSync(file, 'utf8')
      expect(text.match(/effects\.consumeRun\(/g), file).toHaveLength(6)
      expect(text.match(/contextOf\(context, events/g), file).toHaveLength(3)
      expect(text, file).not.toContain('// node_modules/micromark-util-subtokenize')
    }
  })

  it('is not bundled from a package whose loops are others', async () => {
    const file = join(folder, 'node_modules/micromark/lib/initialize/text.js')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'export const text = {}\n')
    await expect(bundleForThread(file, bundled('strange'), true)).rejects.toThrow(
      /initialize\/text\.js: expected 1, found 0 times: /,
    )
  })

  it.each(glob.sync(['docs/**/*.md', 'content/**/*.md', 'test/fixtures/markdown/**/*.md']))(
    'reads %s as the packages do, with any line ends and in any container',
    (file) => {
      const body = readFileSync(file, 'utf8')
      expectSame(body)
      expectSame(body.replaceAll('\n', '\r\n'))
      expectSame(body.replaceAll('\n', '\r'))
      expectSame(body.replaceAll(/^/gm, '> '))
      expectSame(body.replaceAll(/^(?=.)/gm, '- '))
      expectSame(body.replaceAll(/^(?=.)/gm, '\t'))
    },
  )

  it('reads whatever else there is as the packages do', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
        expectSame(parts.join(''))
      }),
      { numRuns: 3000 },
    )
  })
})

function expectSame(body: string): void {
  expect(treeOf(quick, body)).toEqual(treeOf(plain, body))
}

/** What a parser makes of a body, its bugs too. */
function treeOf(parse: Parse, body: string): unknown {
  try {
    return JSON.parse(JSON.stringify(parse(body)))
  } catch (error) {
    return String(error)
  }
}

async function parserWith(name: string, isQuick: boolean): Promise<Parse> {
  const file = bundled(name)
  await bundleForThread('src/markdown/processor.ts', file, isQuick)
  const { parseMarkdown }: { parseMarkdown: Parse } = await import(pathToFileURL(file).href)
  return parseMarkdown
}

function bundled(name: string): string {
  return join(folder, `${name}.mjs`)
}

const pieces = [
  ...['a', 'word ', 'é', '日本', '\ufeff', '\u2028', '\0', 'w', 'www.a.b', 'http://a.b', 'x@y.zz'],
  ...['\n', '\n', '\n\n', '\r', '\r\n', ' ', '  ', '    ', '\t', ' \t', '  \n', '\\\n'],
  ...['> ', '>', '- ', '* ', '+\t', '1. ', '12) ', '- [x] ', '- [ ] ', '\n> ', '\n  ', '\n\n    '],
  ...['# ', '###### ', ' #', '\n===', '\n---', '***', '___', '```', '```js\n', '~~~\n', '\n```\n'],
  ...['*', '**', '_', '__', '~', '~~', '`', '``', '\\', '\\*', '&amp;', '&#64;', '&x'],
  ...[
    '[',
    ']',
    '![',
    '](',
    ')',
    '[a](b)',
    '[a][b]',
    '\n[b]: /c "d"\n',
    '[^1]',
    '\n[^1]: ',
    '(',
    '"',
  ],
  ...[
    '<a>',
    '<!-- ',
    '-->',
    '<div>\n',
    '</div>',
    '<http://a>',
    '<x@y.zz>',
    '| a | b |',
    '\n|-|:-|\n',
    '|',
  ],
]
