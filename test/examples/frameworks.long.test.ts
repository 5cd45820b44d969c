// Examples of frameworks, installed from packed tarballs, built, and fetched as their readers would.
import { execFile } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { serve as quarry } from '../support/command-line.ts'
import { emptyFolder } from '../support/empty-folder.ts'
import { installInto, packPackage } from '../support/packed.ts'
import { freePort, startProgram } from '../support/process.ts'
import { temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')
const folder = emptyFolder()
const title = 'The ETag is a fingerprint'
const slug = 'the-etag-is-a-fingerprint'
let tarballs: Record<'quarry' | 'quarry-client', string>
let api = ''

beforeAll(async () => {
  const packed = join(folder, 'packed')
  tarballs = {
    quarry: packPackage('quarry', packed),
    'quarry-client': packPackage('quarry-client', packed),
  }
  const site = join(folder, 'api')
  mkdirSync(site)
  const content = join(root, 'content')
  api = (await quarry(site, {}, ['dev', '--content', content])).url
})

/** A copy of an example with its packages installed. */
function project(name: string): string {
  const copy = join(folder, name)
  cpSync(join(root, 'examples', name), copy, { recursive: true, filter: isOwn })
  const file = join(copy, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  for (const [name, tarball] of Object.entries(tarballs))
    if (name in manifest.dependencies) manifest.dependencies[name] = `file:${tarball}`
  writeFileSync(file, JSON.stringify(manifest))
  if ('quarry' in manifest.dependencies) {
    cpSync(join(root, 'content'), join(copy, 'content'), { recursive: true })
    writeFileSync(join(copy, 'quarry.config.ts'), 'export default {}\n')
  }
  installInto(copy, [])
  return copy
}

/** What somebody who tried the example left there. */
function isOwn(path: string): boolean {
  return !/[\\/](node_modules|dist|\.astro|\.next|\.nuxt|\.output|\.svelte-kit|_site)$/.test(path)
}

const environment = (): Record<string, string> => ({
  ...(process.env as Record<string, string>),
  QUARRY_URL: api,
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
})

async function npmRun(cwd: string, script: string): Promise<void> {
  await promisify(execFile)('npm', ['run', script], { cwd, env: environment() })
}

/** Runs a server of a framework, and gives its URL. */
async function serve(cwd: string, command: string): Promise<string> {
  const port = await freePort()
  const [program = '', ...words] = command.replace('PORT', String(port)).split(' ')
  const own = { ...environment(), PORT: String(port), HOST: '127.0.0.1' }
  await startProgram(program, words, { cwd, environment: own, ready: port })
  return `http://127.0.0.1:${port}`
}

const textOf = async (url: string) => (await fetch(url)).text()
const fileIn = (cwd: string, path: string) => readFileSync(join(cwd, path), 'utf8')
const typesOf = (cwd: string) =>
  promisify(execFile)(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    cwd,
    '--noEmit',
  ])

const minutes = 60_000
const newer = '---\ntitle: Newer than all\ndate: 2026-01-01\ncategory: delivery\n---\nText\n'

describe('an example', () => {
  it('of Vite has the content as a module with types, and follows edits', {
    timeout: 5 * minutes,
  }, async () => {
    const cwd = project('vite')
    await npmRun(cwd, 'build')
    const [, script = ''] = /src="\/(assets\/[^"]+\.js)"/.exec(fileIn(cwd, 'dist/index.html')) ?? []
    expect(fileIn(cwd, join('dist', script))).toContain(title)
    await typesOf(cwd)
    writeFileSync(
      join(cwd, 'src/wrong.ts'),
      "import { posts } from 'virtual:quarry/handbook'\nexport const x: 'no' | undefined = posts[0]?.slug\n",
    )
    await expect(typesOf(cwd)).rejects.toMatchObject({ stdout: expect.stringContaining('TS2322') })
    const url = await serve(cwd, 'npx vite --port PORT --strictPort --host 127.0.0.1')
    expect(await textOf(`${url}/v1/handbook/posts/${slug}`)).toContain(title)
    const module = () => textOf(`${url}/@id/__x00__virtual:quarry/handbook`)
    expect(await module()).toContain(title)
    const post = join(cwd, 'content/handbook/posts/new.md')
    writeFileSync(post, newer)
    await expect.poll(module, { timeout: 30_000 }).toContain('Newer than all')
  })

  it('of Astro has collections with types, and follows edits', {
    timeout: 8 * minutes,
  }, async () => {
    const cwd = project('astro')
    // Another site, on a host that has its files alone.
    const site = temporarySite({ browser: true }).post('far', {}, 'A needle.\n').posts(2)
    await site.build()
    const files = await serve(site.out, 'python3 -m http.server PORT --bind 127.0.0.1 -d public')
    writeFileSync(
      join(cwd, 'src/pages/found.astro'),
      `---\nimport { createClient } from 'quarry/client'
const content = createClient({ url: '${files}', workspace: 'acme', site: true })
const found = await content.posts.search('needle')\n---\n{JSON.stringify(found)}\n`,
    )
    appendFileSync(join(cwd, 'content/handbook/workspace.yml'), 'derived: [cover]\n')
    const media = { media: { widths: [640], preview: true } }
    writeFileSync(join(cwd, 'quarry.config.ts'), `export default ${JSON.stringify(media)}\n`)
    await npmRun(cwd, 'build')
    const [, copy = ''] = /srcset="([^ ]+) 640w,/.exec(fileIn(cwd, 'dist/index.html')) ?? []
    expect(readFileSync(join(cwd, 'dist', copy))).not.toHaveLength(0)
    expect(fileIn(cwd, 'dist/index.html')).toContain('url(data:image/webp;base64,')
    expect(fileIn(cwd, 'dist/found/index.html')).toMatch(
      /totalItems&quot;:1}.*slug&quot;:&quot;far&/,
    )
    expect(fileIn(cwd, 'dist/index.html')).toContain(title)
    expect(fileIn(cwd, `dist/posts/${slug}/index.html`)).toMatch(/<nav><a href="#[^"]+">.*<h2 id/s)
    await typesOf(cwd)
    writeFileSync(
      join(cwd, 'src/wrong.ts'),
      "import { getEntry } from 'astro:content'\nexport const x: number | undefined = (await getEntry('posts', 'a'))?.data.title\n",
    )
    await expect(typesOf(cwd)).rejects.toMatchObject({ stdout: expect.stringContaining('TS2322') })
    const url = await serve(cwd, 'npx astro dev --port PORT --host 127.0.0.1')
    expect(await textOf(url)).toContain(title)
    const post = join(cwd, 'content/handbook/posts/new.md')
    writeFileSync(post, newer)
    await expect.poll(() => textOf(url), { timeout: 30_000 }).toContain('Newer than all')
    writeFileSync(post, newer.replace('delivery', 'delivry'))
    const failed: unknown = await npmRun(cwd, 'build').catch((error: unknown) => error)
    const { stdout = '', stderr = '' } = failed as { stdout?: string; stderr?: string }
    expect(stdout + stderr).toContain('posts/new.md:4:11 error unknown-category')
    expect(stdout + stderr).not.toMatch(/^ +at /m)
  })

  it('of Eleventy makes a page for each post', { timeout: 3 * minutes }, async () => {
    const cwd = project('eleventy')
    await npmRun(cwd, 'build')
    expect(fileIn(cwd, '_site/index.html')).toContain(title)
    expect(fileIn(cwd, `_site/posts/${slug}/index.html`)).toContain('<h2')
  })

  it('of plain HTML has the client beside it', { timeout: minutes }, async () => {
    const cwd = project('html')
    await npmRun(cwd, 'build')
    const { createClient } = await import(join(cwd, 'quarry-client/index.js'))
    const result = await createClient({ url: api, workspace: 'handbook' }).posts.search(
      'fingerprint',
    )
    expect(JSON.stringify(result)).toContain(title)
  })
})
