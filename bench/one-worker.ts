// Compares one render thread with no threads: its cost and its gain.
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createRenderPool } from '../src/markdown/pool.ts'
import { type CorpusOptions, corpusPosts } from './corpus.ts'
import { seconds } from './figures.ts'

/** Includes the start of the thread and its messages. Both variants start with the same uncompiled code. */
export async function oneWorker(corpus: CorpusOptions): Promise<string> {
  const renderer = fileURLToPath(import.meta.resolve('#render-worker'))
  const jobs = Array.from(corpusPosts(corpus), ({ name, body }, key) => {
    return { key, file: name, body, bodyLine: 1 }
  })
  const pool = createRenderPool({ workers: 1 })
  const started = performance.now()
  let rendered = 0
  for await (const { body } of pool.render(jobs)) rendered += body === undefined ? 0 : 1
  const away = performance.now() - started
  await pool.close()
  const again = performance.now()
  const { default: renderJob }: typeof import('../src/markdown/worker.ts') = await import(
    pathToFileURL(renderer).href
  )
  for (const job of jobs) rendered += renderJob(job).body === undefined ? 0 : 1
  const here = performance.now() - again
  if (rendered !== 2 * jobs.length) throw new Error('a body could not be rendered')
  return worth(`renders ${jobs.length} bodies that are at hand`, away, here)
}

function worth(work: string, away: number, here: number): string {
  const ratio = (away / here).toFixed(2)
  return `one worker ${work} in ${seconds(away)} s, the main thread alone in ${seconds(here)} s: ${ratio} × of that`
}
