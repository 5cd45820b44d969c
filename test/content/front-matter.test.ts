// Front matter and body: which lines are fences, what stands between them, and the body byte for byte.
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../src/content/document.ts'
import { places, plain } from './support.ts'

const read = (text: string) => readDocument('posts/a.md', text)

const one = { a: 'b' }

describe('readDocument', () => {
  it.each([
    ['---\na: b\n---\nbody\n', one, 'body\n', 4],
    ['---\r\na: b\r\n---\r\nbody\r\n', one, 'body\n', 4],
    ['+++\na = "b"\n+++\nbody', one, 'body', 4],
    ['+++\na = "---"\n+++\n---\nbody', { a: '---' }, '---\nbody', 4],
    ['{"a": "b"}\nbody', one, 'body', 2],
    ['{\n\t"a": "}",\n\t"c": "\\"{"\n} \n\nbody', { a: '}', c: '"{' }, '\nbody', 5], // biome-ignore format: one row
    ['{"a": {"b": [1, 2.50, null]}}', { a: { b: ['1', '2.50', 'null'] } }, '', 2],
    ['\uFEFF---\na: b\n---\nbody', one, 'body', 4],
    ['---\n---\nbody', {}, 'body', 3],
    ['---\na: b\n---\n---\nc: d\n---\n', one, '---\nc: d\n---\n', 4],
    ['---\na: |\n  x\n\n  y\n---\n  body', { a: 'x\n\ny\n' }, '  body', 7],
  ])('takes %j apart', (text, frontMatter, body, bodyLine) => {
    const { value, diagnostics } = read(text)
    expect(diagnostics).toEqual([])
    expect(plain(value?.frontMatter)).toEqual(frontMatter)
    expect(value).toMatchObject({ file: 'posts/a.md', body, bodyLine })
    expect(`${value?.source}${body}`).toBe(text.replace('\uFEFF', '').replace(/\r\n?/g, '\n'))
  })

  it.each([
    ...['# body\n---\n', '----\nProse: no, as a: b\n', '++++\n', '\n\nbody\n', '- - -\n', '{}\n'],
    ...['\n---\nbody without another such line', '{{< figure src="a.png" >}}\n', '{ no: json }\n'],
    ...['Note: a heading\n---\n', 'title: a\n\ntext\n\n---\n', '***\n\na: b\n\n***\n'],
    ...['***\nhttps://example.com\n***\n', '----\nSome prose.\n\n----\n', '* a: b\n* c: d\n***\n'],
    ...['<!-- a: b -->\n\ntext\n\n---\n', '~~~\ntitle: a\n~~~\n'],
    '***\nNote: a text.\nMore.\n***\n',
  ])('takes %j for a body without front matter', (text) => {
    const { value, diagnostics } = read(text)
    expect(diagnostics).toEqual([])
    expect(value).toMatchObject({ body: text, bodyLine: 1, source: text.split('\n')[0] })
    expect(plain(value?.frontMatter)).toEqual({})
  })

  it.each([
    ['+++\u00a0\na = 1\n+++\n', '1:1 front-matter-fence'],
    ['+++\na = 1\n', '1:1 front-matter-unclosed'],
    ['+++\na = 1\na = 2\n+++\n', '3:1 toml-syntax'],
    ['{"a": 1', '1:1 front-matter-unclosed'],
    ['{"a": 1} body\n', '1:9 front-matter-fence'],
    ['{\n  "a": "b"\n  "c": "d"\n}\n', '3:3 json-syntax'],
    ['{\n  "a": "b",\n}\n', '3:1 json-syntax'],
    ['---\u00a0\na: b\n---\n', '1:1 front-matter-fence'],
    ['---\na: b\n---\u00a0\nbody\n---\n', '3:1 front-matter-fence'],
    ['---\na: b\n---foo\nbody', '3:1 front-matter-fence'],
    ['\n\n---\na: b\n---\nbody', '3:1 front-matter-fence'],
    ...[...['----', '------', '—', '–––', '***', '* * *', '++++', '\u2212\u2212\u2212', '___']].map(
      (fence) => [`${fence}\na: b\nc:\n  - d\n\n${fence}\nbody`, '1:1 front-matter-fence'],
    ),
    ['----\ntitle: a\nstatus: draft\n\nbody', '1:1 front-matter-fence'],
    ['—\ntitle: a\n---\nbody', '1:1 front-matter-fence'],
    ['++++\ntitle = "a"\n++++\n', '1:1 front-matter-fence'],
    ['\u200B---\na: b\n---\nbody', '1:2 front-matter-fence'],
    ['\uFEFF\uFEFF\u2060---\na: b\n---\nbody', '1:3 front-matter-fence'],
    ['<!-- a -->\n---\na: b\n---\nbody', '2:1 front-matter-fence'],
    ['<!--\na\n-->\n\n<!-- b -->\n----\na: b\n----\n', '6:1 front-matter-fence'],
    ['title: a\ntags:\n  - b\n- c\n---\nbody', '1:1 front-matter-fence'],
    ['\uFEFF---\r\na: *b\r\n---\r\n', '2:4 yaml-alias'],
    [`---\na: ${'x'.repeat(65_533)}\n---\n`, '1:1 front-matter-too-large'],
  ])('refuses %#, and gives no value', (text, place) => {
    const { value, diagnostics } = read(text)
    expect(places(diagnostics)).toEqual([`posts/a.md:${place}`])
    expect(diagnostics[0]).toMatchObject({ severity: 'error', hint: expect.any(String) })
    expect(value).toBeUndefined()
  })
})
