// satteri makes the trees of remark-parse, with all positions and destinations, or leaves a body to it.
// QUARRY_PARSERS=1000000 tries so many mutated bodies, QUARRY_PARSER_CONTENT=FOLDER all Markdown of a folder.
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { tests as examples } from 'commonmark-spec'
import glob from 'fast-glob'
import type { Root } from 'mdast'
import { markdownToMdast } from 'satteri'
import { describe, expect, it } from 'vitest'
import { markdownDefaults } from '../../src/markdown/options.ts'
import { parseMarkdown } from '../../src/markdown/processor.ts'
import { differenceOf, loadQuickParser } from '../../src/markdown/satteri.ts'
import { screenSource } from '../../src/markdown/source-screen.ts'
import type { Stages } from '../../src/markdown/stages.ts'
import { mutatedBodies } from '../support/mutated-bodies.ts'
import { renderMarkdown } from './rendered.ts'

/** Found by mutated bodies, and made as small as they get. */
const unlike = [
  ...['\0', '/x@y.z', '[x@y.z', '[www.a', '/www.a', '\u00a0www.a', 'www.', '_A@y.g_', '\\_@y.z'],
  ...['s&#64;6.g', 'http://.w', '[http://.b', 'r|o\n-|-\nhttp://d|', '*😀*e', '</a\n    >'],
  ...[
    '- ```\n-',
    '>```\n>',
    '1. <pre\n1.',
    '><?\n>',
    '<pre></script>\n',
    '- <!X>\n>',
    '><t>\n> \t',
  ],
  ...['- [x]\n_', '- [ ] <p>', '- [ ] [a]\n\n[a]:`', '>>\n> ', '>>-\n>', '>- \n>\n>', '>1. \n> >'],
  ...['[^1]:x\n<t>\n', '=\n[^1 ]:', '-\n#\n\t:\n\t', '>     )\n>     ', '* e\n#\n    1\n    r'],
  ...['* }\n+\t  {\n      S', '- `\n  *t*', '* m<u\n  [[]]()', '- [\n  `)`', '- [\n  *s*]()'],
  ...['>`  \n>:', '>h<!X\n>c', '>[](  \n>A', '>.\n <t>\n', '- <c\n   r="">\n', '* \n  <dt \n   '],
  ...[
    '[a]:>\n<div\n\n-',
    '[b]:\n|-',
    '[b]:"\n|-',
    'a\n|-\n<a>',
    '>t||\n> \t-|-',
    '>|||\n>-|-\na\n|-',
  ],
  ...['[\\\n]()', '**t*_', '**1*_', '\\**t**', 'f*_*', '**I_*r**', 'X*_D_\nx*', '*|__=__*d'],
  ...['**S\\**S**', '**\\***C', '<n d=d=""><', '<SCRIPT </SCRIPT>\n'],
  ...['*_*C', '- <v>\n   ', '- \n  <t>\n   ', '|\n`\n- |', '<n d=/n>', '+\t"\n  <l x="">\n'],
  ...['```l &nbsp;\n```', '[\u00a01]:h', 'x@y.-s'],
  ...['>e\n|||\n>-|-', '>t\n-||\n>-|-', '- ;\nn|D\n  -|-', 'http://b|||\n-|-|-'],
  ...['>![<!n\n>]()', '\t*\n[a]:>\n\n-', '*n\n_*h', 'http://b._A_', '_www.b_-', '- G\n|-\n  -|'],
  ...['z _`_\u0085 t', '\u0085*”*', '![\\\n](/i.png)'],
  ...['http://g` [`http://b.', '[!V http://a.b]', '* [a\n  b]\n\n[r]:u\n[a b]:.'],
  ...['<SCRIPT></SCRIPT>\nd', ' <textarea></style>\n<', '    >\n[a]:>\n\n1. ', '[<xx:]> www.x'],
  ...['http://x\b', '    -\n[x]:.\n\n3. a'],
  ...['[a&amp;b]\n\n[a&amp;b]: x', '[I]\n\n[ı]:<>', '[ffi]\n\n[ﬃ]:x', '[Υ̓̀]\n\n[ὒ]:x'],
  ...['a*_ a*', 'a**_\na**', 'a\u200b*_ a*', 'http://x|x\n-|-\n-'],
  ...['http://本”_x', '[_]()~ _) ~~_;~~'],
  ...[
    '- ![`]()  \n  x',
    '> ![<!--](u)  \n> x',
    '*\n  ~~~~\n  ~~~\n * x',
    '*\n  ~~~\n      ~~~\n * x',
  ],
  ...['x>_\u2b96__', '*\u1b4e*a', '~~a\u20c1~~b', '**a\u2427**b'],
]

const extensionExamples = [
  ...readFileSync('test/fixtures/gfm/spec.txt', 'utf8').matchAll(
    /^`{32} example .*\n([\s\S]*?)^\.$/gm,
  ),
].map(([, markdown = '']) => markdown.replaceAll('→', '\t'))

const parse = (await loadQuickParser()) ?? expect.fail('satteri cannot be loaded')
const count = Number(process.env['QUARRY_PARSERS'] ?? 2000)
const folder = process.env['QUARRY_PARSER_CONTENT']
const written = glob
  .sync(['docs/**/*.md', 'content/**/*.md', 'test/fixtures/markdown/**/*.md'])
  .map((file) => readFileSync(file, 'utf8'))

describe('satteri', () => {
  it('reads the examples of CommonMark as remark-parse does', () => {
    const read = examples.filter(({ markdown }) => expectSame(markdown.replaceAll('→', '\t')))
    expect(read.length).toBeGreaterThan(0.7 * examples.length)
  })

  it("reads the examples of GitHub's extensions as remark-parse does", () => {
    expect(extensionExamples).toHaveLength(24)
    expect(extensionExamples.filter(expectSame).length).toBeGreaterThan(0.5 * 24)
  })

  it('reads what people write as remark-parse does, and leaves little of it to that', () => {
    const read = written.filter(expectSame)
    expect(read.length).toBeGreaterThan(0.8 * written.length)
    for (const body of written) {
      for (const prefix of ['> ', '- ', '\t', '1. '])
        expectSame(body.replaceAll(/^(?=.)/gm, prefix))
    }
  })

  it('reads mutated bodies as remark-parse does', { timeout: 1e8 }, () => {
    const bodies = mutatedBodies(written, 20_261_123)
    let read = 0
    for (let left = count; left > 0; left--) read += expectSame(bodies.next().value) ? 1 : 0
    expect(read).toBeGreaterThan(0.3 * count)
  })

  it.skipIf(folder === undefined)('reads a folder as remark-parse does', { timeout: 1e8 }, () => {
    for (const file of glob.sync('**/*.{md,mdx,markdown}', { cwd: folder ?? '', absolute: true }))
      expectSame(readFileSync(file, 'utf8').replaceAll(/\r\n?/g, '\n'))
  })

  it.each(unlike)('leaves %j to remark-parse, which reads it differently', (body) => {
    expect(quickTree(body)).toBeNull()
    const tree = markdownToMdast(body, { features: { frontmatter: false } }) as Root
    expect(differenceOf(withoutData(parseMarkdown(body)), tree)).not.toBeNull()
  })

  it.each([
    ['many references', `[a]: /${'x'.repeat(1000)}\n\n${'[a]\n\n'.repeat(120)}`],
    ['a long label', `[${'é'.repeat(600)}]\n\n[${'é'.repeat(600)}]: /a`],
    ['parentheses', `[a](${'('.repeat(33)}b${')'.repeat(33)})`],
  ])('leaves %s to remark-parse: satteri has other limits', (_, body) => {
    expect(quickTree(body)).toBeNull()
    const tree = markdownToMdast(body, { features: { frontmatter: false } }) as Root
    expect(differenceOf(withoutData(parseMarkdown(body)), tree)).not.toBeNull()
  })

  it('reads nothing that is too long or nested too deeply', () => {
    expect(quickTree('a\n\n'.repeat(100_000))).toBeNull()
    expect(quickTree(`${'>'.repeat(300)}a`)).toBeNull()
    expect(quickTree(`${'>'.repeat(100)}a`)).toBeNull()
    expect(quickTree('*é'.repeat(10_000))).toBeNull()
    expect(quickTree('a &amp; '.repeat(3000))).toBeNull()
    expect(quickTree(`${'>'.repeat(20)}a`)).toBeNull()
  })
})

describe('a body', () => {
  const body = '# A *b*\n\n[c](d.md "e") ![f](g.png) <b>h</b> www.example.com\n\n- [x] i\n'

  it('is rendered alike by either parser', () => {
    const expected = renderMarkdown(body, { parser: 'remark' })
    expect(expected.files?.targets).toHaveLength(2)
    expect(renderMarkdown(body, { parser: 'auto' })).toEqual(expected)
    expect(renderMarkdown(body, { parser: 'verify' })).toEqual(expected)
  })

  it('is rendered alike where the native module cannot be loaded', async () => {
    const expected = renderMarkdown(body, { parser: 'remark' }).html
    for (const env of [{}, { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere' }])
      expect(await renderInThread(body, env)).toBe(expected)
  })

  it('is an error where the trees differ and that is looked for', () => {
    const { problems } = renderMarkdown(body, { parser: 'verify' }, withTrees('_c_'))
    expect(problems).toMatchObject([
      {
        ...{ code: 'render-failed', severity: 'error', line: 1, column: 6 },
        message: expect.stringContaining('root.children.0.children.1.children.0.value'),
      },
    ])
    expect(renderMarkdown(body, { parser: 'auto' }, withTrees('_c_')).html).toContain('<em>c</em>')
  })

  it('is an error where the HTML differs and that is looked for', () => {
    const { html, problems } = renderMarkdown(body, { parser: 'verify' }, withTrees('*b*', '_c_'))
    expect(html).toBe('')
    expect(problems).toMatchObject([
      { code: 'render-failed', message: expect.stringContaining('differently: HTML.') },
    ])
  })
})

/** A parser whose trees have other text, one after the other. */
function withTrees(...texts: readonly string[]): Stages {
  const left = [...texts]
  const parse = (text: string) => parseMarkdown(text.replace('*b*', left.shift() ?? '*b*'))
  return { satteri: { parse, differenceOf } }
}

/** satteri says nothing of destinations. */
function withoutData(tree: Root): Root {
  return JSON.parse(JSON.stringify(tree, (key, value) => (key === 'data' ? undefined : value)))
}

/** @returns whether satteri read the body */
function expectSame(body: string): boolean {
  const tree = quickTree(body)
  if (tree !== null) expect(differenceOf(parseMarkdown(body), tree), body).toBeNull()
  return tree !== null
}

function quickTree(body: string): Root | null {
  return screenSource(body) === null ? parse(body) : null
}

async function renderInThread(body: string, env: NodeJS.ProcessEnv): Promise<string> {
  const code = `
    import(${JSON.stringify(import.meta.resolve('#render-worker'))}).then(async ({ renderJob, withStages }) => {
      const { parentPort, workerData } = require('node:worker_threads')
      const [job, options, stages] = [...workerData, {}]
      const { body } = await withStages(stages, () => renderJob(job, options, stages))
      parentPort.postMessage([JSON.parse(Buffer.from(body.html.bytes)), typeof stages.satteri])
    })`
  const job = { key: 0, file: 'a.md', body, bodyLine: 1 }
  const workerData = [job, { ...markdownDefaults, parser: 'auto' }]
  const worker = new Worker(code, { eval: true, workerData, env: { ...process.env, ...env } })
  const [html, stage] = await new Promise<[string, string]>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
  })
  await worker.terminate()
  expect(stage).toBe('object')
  return html
}
