import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, createLogger, createServer, type Logger } from 'vite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { quarry as astro, type QuarryLoader } from '../../src/astro.ts'
import { quarry } from '../../src/vite.ts'
import { pixel } from '../blackbox/site.ts'
import { respondAt } from '../support/process.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const wrong = '---\ntitle: Wrong\ncategory: nwes\ndate: 2024-01-02\n---\nText\n'
const place = 'content/acme/posts/wrong.md:3:11 error unknown-category'
const hint = 'Did you mean "news"?'

type Entry = Parameters<Parameters<QuarryLoader['load']>[0]['store']['set']>[0]

function siteOfVite() {
  return temporarySite()
    .post('right', { title: 'Right' })
    .write('index.html', '<script type="module" src="/main.js"></script>')
    .write('main.js', "import { posts } from 'virtual:quarry/acme'\nconsole.log(posts)\n")
}

function recording(messages: string[]): Logger {
  const record = (kind: string) => (text: string) => void messages.push(`${kind}: ${text}`)
  return { ...createLogger('silent'), warn: record('warn'), error: record('error') }
}

/** Starts Vite. @returns its server, and the code of the module of the workspace on each call */
async function serve(site: TemporarySite, messages: string[] = []) {
  const server = await createServer({
    root: site.folder,
    customLogger: recording(messages),
    plugins: [quarry({ content: site.content })],
    server: { middlewareMode: true },
  })
  onTestFinished(() => server.close())
  expect(server.config.plugins.map(({ name }) => name)).toContain('quarry')
  const module = async () => (await server.transformRequest('virtual:quarry/acme'))?.code
  return { server, module }
}

it('shows a mistake while editing in the terminal and over the page, and keeps the last good content', async () => {
  const site = siteOfVite()
  const messages: string[] = []
  const { server, module } = await serve(site, messages)
  const send = vi.spyOn(server.ws, 'send').mockImplementation(() => {})
  const sent = () => send.mock.calls.map(([payload]) => payload as unknown as { type: string })
  expect(await module()).toContain('Right')
  expect(messages).toEqual([])
  site.write('content/acme/posts/wrong.md', wrong)
  await expect.poll(() => messages, { timeout: 30_000 }).toHaveLength(1)
  expect(messages[0]).toContain(place)
  expect(messages[0]).toContain(hint)
  const file = join(site.folder, 'content/acme/posts/wrong.md')
  expect(sent().filter(({ type }) => type === 'error')).toEqual([
    {
      type: 'error',
      err: expect.objectContaining({
        ...{ plugin: 'quarry', id: file, loc: { file, line: 3, column: 11 }, stack: '' },
        message: expect.stringContaining(place),
        frame: '  3 | category: nwes\n    |           ^',
      }),
    },
  ])
  expect(await module()).toContain('Right')
  rmSync(file)
  await expect.poll(() => sent().at(-1)?.type, { timeout: 30_000 }).toBe('full-reload')
  expect(messages).toHaveLength(1)
})

it('shows a mistake that is there at the start where the content is imported, until it is fixed', async () => {
  const site = siteOfVite().write('content/acme/posts/wrong.md', wrong)
  const { server, module } = await serve(site)
  await expect(module()).rejects.toMatchObject({
    message: expect.stringContaining(place),
    loc: { line: 3, column: 11 },
  })
  rmSync(join(site.folder, 'content/acme/posts/wrong.md'))
  await expect.poll(() => module().catch(() => null), { timeout: 30_000 }).toContain('Right')
  // Drafts of the content are for pages of this machine.
  const own = await respondAt(server.middlewares)
  for (const [origin, allowed] of [
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://evil.example', null],
  ] as const) {
    const { headers } = await fetch(`${own}/v1/acme/posts`, { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBe(allowed)
  }
})

it('has the items of collections, as Astro’s loaders do', async () => {
  const site = siteOfVite()
    .post('pictured', {}, '## A heading\n\n![](p.png)\n')
    .write('content/acme/posts/p.png', pixel)
    .write(
      'content/acme/workspace.yml',
      'locale: en\ncollections: { plans: { folder: plans.yml, orderBy: price, fields: { price: { type: number, index: true }, next: { type: references, to: plans } } } }\n',
    )
    .write(
      'content/acme/plans.yml',
      '- { slug: pro, title: Pro, price: 20, next: [free, later] }\n- { slug: free, title: Free, price: 0 }\n- { slug: idea, title: Idea, price: 1, status: draft }\n- { slug: later, title: Later, price: 2, publishedAt: 2999-01-01 }\n',
    )
    .write(
      'main.js',
      "import { collections } from 'virtual:quarry/acme'\nglobalThis.plans = collections.plans\n",
    )
  const { output } = (await build({
    root: site.folder,
    customLogger: recording([]),
    build: { write: false, minify: false },
    plugins: [quarry({ content: site.content })],
  })) as { output: readonly { code?: string; fileName: string }[] }
  const code = output.map((file) => file.code ?? '').join('')
  expect([...code.matchAll(/"?slug"?: "(\w+)"/g)].map(([, slug]) => slug)).toEqual([
    'free',
    'pro',
    'free',
  ])
  const files = output.map(({ fileName }) => fileName)
  expect(files).toContainEqual(expect.stringMatching(/^media\/acme\/\w+\.png$/))
  const stored = new Map<string, Entry>()
  const counts: string[] = []
  const load = (loader: QuarryLoader) =>
    loader.load({
      store: {
        keys: () => [...stored.keys()],
        get: (id) => stored.get(id),
        set: (entry) => Boolean(stored.set(entry.id, entry)),
        delete: (id) => void stored.delete(id),
      },
      logger: { info: (text) => void counts.push(text), warn: () => {}, error: () => {} },
      parseData: async ({ data }) => data,
      generateDigest: JSON.stringify,
    })
  const loaders = astro({ workspace: 'acme', project: site.folder })
  const plans = loaders.collection('plans')
  expect([loaders.posts.name, plans.name]).toEqual(['quarry-posts', 'quarry-plans'])
  await load(plans)
  expect([...stored.values()]).toMatchObject([
    { id: 'free', data: { fields: { price: 0 }, locale: 'en', translations: [] } },
    { id: 'pro', data: { fields: { price: 20, next: [{ slug: 'free' }] } } },
  ])
  await load(loaders.posts)
  await load(loaders.posts)
  expect(stored.get('pictured')?.rendered).toMatchObject({
    html: expect.stringContaining('<img '),
    metadata: { headings: [{ depth: 2, slug: 'a-heading', text: 'A heading' }] },
  })
  expect(counts.map((count) => count.replace(/\D+/g, ' '))).toEqual(['2 2 0 ', '2 2 2 ', '2 0 0 '])
})
