import { copyFileSync, cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { call } from '../support/command-call.ts'
import { openOrigin } from '../support/origin-server.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** A store with the data of three builds, and the roots of the first and the last one. */
async function store() {
  const site = temporarySite()
    .write(
      'content/acme/workspace.yml',
      'collections: { guides: { folder: guides } }\nsingletons: { about: about.md }\n',
    )
    .write('content/acme/guides/draft.md', '---\ntitle: Draft\nstatus: draft\n---\n')
    .write('content/acme/about.md', 'About us.\n')
  const folder = join(site.folder, 'store')
  const names: string[][] = []
  for (const count of [1, 2, 3]) {
    site.post('draft', { status: 'draft', title: `Draft ${count}` })
    const { manifest } = await site.posts(count).build({ drafts: true })
    const own = [...manifest.files.keys()].filter((path) => path.startsWith('function/data/'))
    names.push(own.map((path) => path.slice('function/data/'.length)))
    cpSync(join(site.out, 'function'), folder, { recursive: true })
    copyFileSync(join(folder, 'root.json'), join(folder, `${count}.json`))
  }
  const [first = [], second = [], third = []] = names
  const gone = second.filter((name) => !first.includes(name) && !third.includes(name))
  return { site, folder, gone: gone.toSorted(), all: readdirSync(join(folder, 'data')) }
}

const linesOf = (text: string) => text.split('\n').slice(0, -1).toSorted()

it('names the data that no root needs: roots are files and URLs, names those of a folder or of a list', async () => {
  const { site, folder, gone, all } = await store()
  expect(gone.length).toBeGreaterThan(2)
  const origin = await openOrigin(folder)
  origin.authorization = 'Bearer secret'
  const environment = { QUARRY_SITE_AUTHORIZATION: 'Bearer secret' }
  writeFileSync(join(folder, 'data/notes.txt'), 'of somebody else')
  writeFileSync(join(folder, 'names'), `${all.join('\n')}\nnotes.txt\n`)
  const url = `${origin.url}1.json`
  for (const words of [
    ['store/1.json', 'store/root.json'],
    [url, 'store/3.json'],
    ['--names', 'store/names', url, origin.url],
  ]) {
    const { exitCode, stdout, stderr } = await call(site.folder, ['unused', ...words], environment)
    expect([exitCode, stderr, linesOf(stdout)], words.join(' ')).toEqual([0, '', gone])
  }
})

it('names nothing where a root cannot be read', async () => {
  const { site, folder, gone } = await store()
  const refused = async (reason: RegExp, ...words: string[]) => {
    const { exitCode, stdout, stderr } = await call(site.folder, ['unused', ...words])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(reason)
  }
  await refused(/none\.json cannot be read/, 'store/root.json', 'store/none.json')
  await refused(/--names/, 'https://127.0.0.1:1/')
  await refused(/missing required argument/)
  site.remove(`store/data/${gone.find((name) => name.startsWith('index-'))}`)
  await refused(/2\.json cannot be read, so nothing can be called unused/, 'store/2.json')
  writeFileSync(join(folder, 'root.json'), '{}')
  await refused(/root\.json cannot be read.*cut short/, 'store/1.json', 'store/root.json')
})
