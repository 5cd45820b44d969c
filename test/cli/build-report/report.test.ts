import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileKinds } from '../../../src/cli/build-report/file-kinds.ts'
import { html } from '../../../src/cli/build-report/markup.ts'
import { Measures } from '../../../src/cli/build-report/measures.ts'
import { scatter } from '../../../src/cli/build-report/plots.ts'
import { call } from '../../support/command-call.ts'
import { type TemporarySite, temporarySite } from '../../support/temporary-site.ts'

const cached = { QUARRY_CACHE: 'cache' }

describe('quarry build --report', () => {
  it('writes a page beside the project, and nothing else than without it', async () => {
    const site = temporarySite().posts(4)
    await call(site.folder, ['build', '--out', 'plain', '--now', '2026-06-01'])
    const { exitCode, stderr } = await call(
      site.folder,
      ['build', '--report', '--now', '2026-06-01'],
      cached,
    )
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Report: quarry-report.html\n' })
    const manifest = (out: string) => readFileSync(join(site.folder, out, 'manifest.json'), 'utf8')
    expect(manifest('dist')).toBe(manifest('plain'))
    expect(reportOf(site)).toMatch(/<tr><th scope="row"><code>acme\/posts\/post-\d.md</)
  })

  it('says what came from the cache, and what became of the files', async () => {
    const site = temporarySite()
    for (const name of ['one', 'two', 'three']) site.post(name, {}, `Text of ${name}.\n`)
    await call(site.folder, ['build'], cached)
    site.post('two', {}, 'Another text.\n')
    const { stdout } = await call(site.folder, ['build', '--json', '--report', 'r/b.html'], cached)
    const page = reportOf(site, 'r/b.html')
    expect(page).toContain('<b>2</b> from the cache')
    expect(page).toContain('<b>1</b> rendered')
    const { files } = JSON.parse(stdout)
    for (const part of ['unchanged', 'written', 'removed']) {
      expect(page).toContain(`<b>${files[part]}</b> ${part}`)
    }
    const same = await call(site.folder, ['build', '--report'], cached)
    expect(same.stdout).toContain('(0 written')
    expect(reportOf(site)).toContain('no body was looked at')
  })

  it.each([
    ['report.txt', 'Its name must end in .html.'],
    ['dist/report.html', 'Put it outside of the content and the output folder.'],
    ['content/acme/report.html', 'Put it outside of the content and the output folder.'],
    ['link/new/report.html', 'Put it outside of the content and the output folder.'],
  ])('refuses a wrong place before it builds: %s', async (file, reason) => {
    const site = temporarySite().post('first')
    symlinkSync(site.content, join(site.folder, 'link'))
    const { exitCode, stderr } = await call(site.folder, ['build', '--report', file])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(reason)
    expect(existsSync(site.out)).toBe(false)
  })
})

describe('what is reported', () => {
  it('names files by what they are for, those of later kinds by their folder', () => {
    const entry = { stage: 'resource', bytes: 10, sha256: '' } as const
    const paths = [
      'public/v1/acme/posts/index.json',
      'public/v1/acme/posts/_page/2.json',
      'private/v2/acme/tags/x.json',
      'function/index.bin',
      'function/blocks/abc.bin',
      'public/openapi.json',
      'public/pictures/a.png',
    ]
    expect(fileKinds(new Map(paths.map((path) => [path, entry])))).toEqual([
      { name: 'v1: posts', files: 2, bytes: 20 },
      ...['function: blocks', 'function: index', 'public/pictures', 'reference', 'v2: tags'].map(
        (name) => ({ name, files: 1, bytes: 10 }),
      ),
    ])
  })

  it('begins again where a build begins again', () => {
    const measures = new Measures()
    const body = { kind: 'rendered', milliseconds: 1, markdownBytes: 1, htmlBytes: 1 } as const
    for (const file of ['a.md', 'b.md']) {
      measures.onStage('scan', 1)
      measures.onBody({ ...body, file })
      measures.onBody({ kind: 'cached', file: 'c.md' })
    }
    expect(measures.stages).toHaveLength(1)
    expect(measures.rendered.map(({ file }) => file)).toEqual(['b.md'])
    expect(measures.cached).toBe(1)
  })

  it('cannot break the page', () => {
    const name = '<img src=x onerror="alert(1)">&\''
    expect(html`<p title="${name}">${[name, null, html`<b>${1}</b>`]}</p>`.text).toBe(
      '<p title="&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;">&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;<b>1</b></p>',
    )
  })

  it('places dots between powers of ten', () => {
    const { text } = scatter(
      [
        { x: 1, y: 1, label: 'low' },
        { x: 100, y: 100, label: 'high' },
        { x: 10, y: 10, label: 'middle' },
      ],
      { x: 'x', y: 'y', summary: 's' },
    )
    const places = [...text.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ])
    expect(places).toEqual([
      [34, 190],
      [352, 10],
      [193, 100],
    ])
  })
})

function reportOf(site: TemporarySite, file = 'quarry-report.html'): string {
  return readFileSync(join(site.folder, file), 'utf8')
}
