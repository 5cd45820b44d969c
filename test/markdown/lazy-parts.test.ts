// Parts of the renderer that few bodies need are in files of their own, which the others never open.
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Metafile } from 'esbuild'
import { expect, it } from 'vitest'
import { markdownDefaults } from '../../src/markdown/options.ts'
import { temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')

it('renders bodies without raw HTML and MDX where nothing but its first files are', async () => {
  const file = copyOfWorker(temporarySite().folder)
  const { renderJob, withStages }: typeof import('../../src/markdown/worker.ts') = await import(
    pathToFileURL(file).href
  )
  const render = (body: string, { isMdx = false } = {}) => {
    const job = { key: 0, file: 'a.md', body, bodyLine: 1, isMdx }
    const stages = {}
    return withStages(stages, () => renderJob(job, markdownDefaults, stages))
  }
  const plain = '# A\n\n> [!NOTE]\n> b <!-- c --> <https://a.example> `<d>` [e](f.md)\n'
  expect((await render(plain)).diagnostics).toEqual([])
  await expect(render('a <b>c</b>')).rejects.toThrow('shared/authored-html-')
  await expect(render('a', { isMdx: true })).rejects.toThrow('shared/mdx-')
})

/** Copies the module of the thread with all that it imports at once. @returns its path */
function copyOfWorker(folder: string): string {
  const { outputs }: Metafile = JSON.parse(
    readFileSync(join(root, '.lib/node-metafile.json'), 'utf8'),
  )
  const paths = new Set(['.lib/render-worker.js'])
  for (const path of paths)
    for (const { kind, external, path: next } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) paths.add(next)
  mkdirSync(join(folder, '.lib/shared'), { recursive: true })
  for (const path of paths) cpSync(join(root, path), join(folder, path))
  return join(folder, '.lib/render-worker.js')
}
