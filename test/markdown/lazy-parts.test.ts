// Parts of the renderer that few bodies need are in files of their own, which the others never open.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { markdownDefaults } from '../../src/markdown/options.ts'
import { temporarySite } from '../support/temporary-site.ts'

it('renders bodies without raw HTML and MDX where nothing but its first file is', async () => {
  const file = join(temporarySite().folder, 'alone.mjs')
  copyFileSync(fileURLToPath(import.meta.resolve('#render-worker')), file)
  const { renderJob, withStages }: typeof import('../../src/markdown/worker.ts') = await import(
    pathToFileURL(file).href
  )
  const render = (body: string, { isMdx = false, parser = 'remark' as 'remark' | 'auto' } = {}) => {
    const job = { key: 0, file: 'a.md', body, bodyLine: 1, isMdx }
    const stages = {}
    return withStages(stages, () => renderJob(job, { ...markdownDefaults, parser }, stages))
  }
  const plain = '# A\n\n> [!NOTE]\n> b <!-- c --> <https://a.example> `<d>` [e](f.md)\n'
  expect((await render(plain)).diagnostics).toEqual([])
  await expect(render('a <b>c</b>')).rejects.toThrow('render-worker-authored-html')
  await expect(render('a', { isMdx: true })).rejects.toThrow('render-worker-mdx')
  await expect(render('a', { parser: 'auto' })).rejects.toThrow('render-worker-satteri')
  expect((await render('a [^b]', { parser: 'auto' })).diagnostics).toEqual([])
})
