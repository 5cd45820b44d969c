// Front matter and body: which lines are fences, what stands between them, and the body byte for byte.
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../src/content/front-matter.ts'
import { places, plain } from './support.ts'

function read(text: string): ReturnType<typeof readDocument> {
  return readDocument('posts/a.md', text)
}

describe('readDocument', () => {
  it.each([
    ['---\na: b\n---\nbody\n', [['a', 'b']], 'body\n', 4],
    ['---yaml\na: b\n---\nbody', [['a', 'b']], 'body', 4],
    ['---\r\na: b\r\n---\r\nbody\r\n', [['a', 'b']], 'body\n', 4],
    ['---\r\na: b\r\n---\nbody\r\n', [['a', 'b']], 'body\n', 4],
    ['---\ra: b\r---\rbody\r', [['a', 'b']], 'body\n', 4],
    ['--- \na: b\n---\t \nbody', [['a', 'b']], 'body', 4],
    ['---yaml \na: b\n---\nbody', [['a', 'b']], 'body', 4],
    ['---\na: b\n---  ', [['a', 'b']], '', 4],
    ['+++\na = "b"\n+++\nbody', [['a', 'b']], 'body', 4],
    ['+++ \na = "b"\n+++\t', [['a', 'b']], '', 4],
    ['+++\n+++\nbody', [], 'body', 3],
    ['+++\na = "---"\n+++\n---\nbody', [['a', '---']], '---\nbody', 4],
    ['{"a": "b"}\nbody', [['a', 'b']], 'body', 2],
    [
      '{\n\t"a": "}",\n\t"c": "\\"{"\n} \n\nbody',
      [
        ['a', '}'],
        ['c', '"{'],
      ],
      '\nbody',
      5,
    ],
    ['{"a": {"b": [1, 2.50, null]}}', [['a', [['b', ['1', '2.50', 'null']]]]], '', 2],
    ['\uFEFF---\na: b\n---\nbody', [['a', 'b']], 'body', 4],
    ['---\n---\nbody', [], 'body', 3],
    ['---\r\n---\r\nbody', [], 'body', 3],
    ['---\n# only a comment\n---\nbody', [], 'body', 4],
    ['---\na: b\n---', [['a', 'b']], '', 4],
    ['---\na: b\n---\n', [['a', 'b']], '', 4],
    ['---\na: b\n---\n\n\nbody', [['a', 'b']], '\n\nbody', 4],
    ['---\na: b\n---\n\r\nbody', [['a', 'b']], '\nbody', 4],
    ['---\na: b\n---\n\rbody', [['a', 'b']], '\nbody', 4],
    ['---\na: b\n---\n---\nc: d\n---\n', [['a', 'b']], '---\nc: d\n---\n', 4],
    ['---\na: |\n  x\n\n  y\n---\n  body', [['a', 'x\n\ny\n']], '  body', 7],
    ['---\na:\n---\nbody', [['a', '']], 'body', 4],
  ])('takes %j apart', (text, frontMatter, body, bodyLine) => {
    const { value, diagnostics } = read(text)
    expect(diagnostics).toEqual([])
    expect(plain(value?.frontMatter)).toEqual(frontMatter)
    expect(value).toMatchObject({ file: 'posts/a.md', body, bodyLine })
    expect(`${value?.source}${body}`).toBe(text.replace('\uFEFF', '').replace(/\r\n?/g, '\n'))
  })

  it.each([
    'body',
    '# body\n---\n',
    '----\na: b\n----\n',
    'body\n\n---\nmore\n---\n',
    '++++\n',
    '\n\nbody\n',
    '\n---\nbody without another such line',
    '- - -\n',
    '{% include a.html %}\n',
    '{{< figure src="a.png" >}}\n',
    '{}\n',
    '{ no: json }\n',
  ])('takes %j for a body without front matter', (text) => {
    const { value, diagnostics } = read(text)
    expect(diagnostics).toEqual([])
    expect(value).toMatchObject({ body: text, bodyLine: 1, source: text.split('\n')[0] })
    expect(plain(value?.frontMatter)).toEqual([])
  })

  it.each([
    ['---js\na\n---\n', '1:1 front-matter-language'],
    ['---javascript\na\n---\n', '1:1 front-matter-language'],
    ['---JS\na\n---\n', '1:1 front-matter-language'],
    ['--- js\na\n---\n', '1:1 front-matter-language'],
    ['---constructor\na\n---\n', '1:1 front-matter-language'],
    ['---__proto__\na\n---\n', '1:1 front-matter-language'],
    ['---json\n{}\n---\n', '1:1 front-matter-language'],
    ['---toml\na = 1\n---\n', '1:1 front-matter-language'],
    ['---YAML\na: b\n---\n', '1:1 front-matter-language'],
    ['+++\u00a0\na = 1\n+++\n', '1:1 front-matter-fence'],
    ['+++\na = 1\n++++\n', '3:1 front-matter-fence'],
    ['+++\na = 1\n', '1:1 front-matter-unclosed'],
    ['\n+++\na = 1\n+++\n', '2:1 front-matter-fence'],
    ['+++\na = Hello\n+++\n', '2:5 toml-syntax'],
    ['+++\na = 1\na = 2\n+++\n', '3:1 toml-syntax'],
    ['{"a": 1', '1:1 front-matter-unclosed'],
    ['{"a": 1} body\n', '1:9 front-matter-fence'],
    ['{\n  "a": "b"\n  "c": "d"\n}\n', '3:3 json-syntax'],
    ['{\n  "a": 1 }, }\n', '2:11 front-matter-fence'],
    ['---\u00a0\na: b\n---\n', '1:1 front-matter-fence'],
    ['---|\na: b\n---\n', '1:1 front-matter-fence'],
    ['---\rbody', '1:1 front-matter-unclosed'],
    ['---\na: b\n---\u00a0\nbody\n---\n', '3:1 front-matter-fence'],
    ['---\na: b\n---foo\nbody', '3:1 front-matter-fence'],
    ['---\na: b\n----\nbody\n---\n', '3:1 front-matter-fence'],
    ['---\na: b\n---yaml\nbody\n---\n', '3:1 front-matter-fence'],
    ['\n\n---\na: b\n---\nbody', '3:1 front-matter-fence'],
    [' ---\na: b\n---\nbody', '1:2 front-matter-fence'],
    ['---', '1:1 front-matter-unclosed'],
    ['---\n', '1:1 front-matter-unclosed'],
    ['---\na: b\n\nbody\n ---\n', '1:1 front-matter-unclosed'],
    ['---\njust text\n---\n', '2:1 front-matter-not-map'],
    ['---\n- a\n---\n', '2:1 front-matter-not-map'],
    ['---\na:b\n---\n', '2:1 front-matter-not-map'],
    ['---\na: b\0\n---\n', '2:5 yaml-syntax'],
    ['---\r\na: *b\r\n---\r\n', '2:4 yaml-alias'],
    ['---\n\u00a0# x\n---\n', '2:1 front-matter-not-map'],
  ])('refuses %j, and gives no value', (text, place) => {
    const { value, diagnostics } = read(text)
    expect(places(diagnostics)).toEqual([`posts/a.md:${place}`])
    expect(diagnostics[0]).toMatchObject({ severity: 'error', hint: expect.any(String) })
    expect(value).toBeUndefined()
  })

  it('counts columns without the byte order mark', () => {
    expect(places(read('\uFEFF---js\n---\n').diagnostics)).toEqual([
      'posts/a.md:1:1 front-matter-language',
    ])
  })

  it('shows the line of a broken fence', () => {
    expect(read('---\na: b\n---foo\r\nbody').diagnostics).toMatchObject([{ lineText: '---foo' }])
  })

  it('gives the places of values in the file', () => {
    const { value } = read('---\r\n# x\r\ntitle: "a"\r\n---\r\n')
    expect(value?.frontMatter.entries.get('title')).toMatchObject({
      keyAt: { line: 3, column: 1 },
      value: { at: { line: 3, column: 8 } },
    })
  })

  it('keeps a document with a key that is left out', () => {
    const { value, diagnostics } = read('---\na: 1\na: 2\n__proto__: {b: c}\n---\nbody')
    expect(places(diagnostics)).toEqual([
      'posts/a.md:3:1 yaml-duplicate-key',
      'posts/a.md:4:1 yaml-forbidden-key',
    ])
    expect(plain(value?.frontMatter)).toEqual([['a', '1']])
    expect(value?.body).toBe('body')
  })

  it.each([
    ['a byte less', 65_535, []],
    ['64 KiB', 65_536, []],
    ['a byte more', 65_537, ['posts/a.md:1:1 front-matter-too-large']],
  ])('reads at most 64 KiB of UTF-8: %s', (_name, bytes, expected) => {
    const text = `---\n${block(bytes)}---\nbody`
    expect(places(read(text).diagnostics)).toEqual(expected)
  })

  it.each([
    ['line breaks', '\n'],
    ['blanks and line breaks', ' \n'],
  ])('reads at most 1,000 %s in a run', (_name, blank) => {
    const run = (length: number): string => blank.repeat(length / blank.length)
    expect(read(`---\na: b${run(1000)}c: d\n---\n`).value).toBeDefined()
    const { value, diagnostics } = read(`---\na: b${run(1002)}c: d\n---\n`)
    expect(places(diagnostics)).toEqual(['posts/a.md:2:5 front-matter-blank-run'])
    expect(value).toBeUndefined()
  })

  it('warns of a NUL in the body, and keeps it', () => {
    const { value, diagnostics } = read('---\na: b\n---\nfirst\nsecond \0 and \0\n')
    expect(places(diagnostics)).toEqual(['posts/a.md:5:8 nul-character'])
    expect(diagnostics).toMatchObject([{ severity: 'warning' }])
    expect(value?.body).toBe('first\nsecond \0 and \0\n')
  })
})

// Front matter of exactly so many bytes, with characters of two bytes in it.
function block(bytes: number): string {
  const start = 'a: é'
  return `${start}${'x'.repeat(bytes - Buffer.byteLength(start) - 1)}\n`
}
