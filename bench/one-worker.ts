// Compares one render thread with none: its cost and its gain.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createRenderPool } from '../src/markdown/pool.ts'
import { type CorpusOptions, corpusPosts, writeCorpus } from './corpus.ts'
import { median, seconds } from './figures.ts'

/** Measures the cost and the gain of a worker, for bodies in memory and for a site that has to be read. */
export async function oneWorker(
  folder: string,
  corpus: CorpusOptions,
  repeats: number,
): Promise<readonly string[]> {
  mkdirSync(folder)
  const renderer = fileURLToPath(import.meta.resolve('#render-worker'))
  writeCorpus(join(folder, 'content'), corpus)
  return [await bodiesAlone(corpus, renderer), loadedSite(folder, corpus, renderer, repeats)]
}

/** Includes the start of the thread and its messages. Both variants start with the same code, uncompiled. */
async function bodiesAlone(corpus: CorpusOptions, renderer: string): Promise<string> {
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

/** Alternates between fresh processes; medians. */
function loadedSite(
  folder: string,
  { posts }: CorpusOptions,
  renderer: string,
  repeats: number,
): string {
  const times = { thread: [] as number[], none: [] as number[] }
  for (let round = 0; round < repeats; round++) {
    for (const mode of ['thread', 'none'] as const) {
      const args = [
        join(import.meta.dirname, 'load-site.mjs'),
        join(folder, 'content'),
        renderer,
        mode,
      ]
      const output = execFileSync(process.execPath, args, { encoding: 'utf8' })
      const { milliseconds, rendered } = JSON.parse(output)
      if (rendered !== posts) throw new Error(`${rendered} bodies were rendered`)
      times[mode].push(milliseconds)
    }
  }
  return worth(`reads and renders ${posts} posts`, median(times.thread), median(times.none))
}

function worth(work: string, away: number, here: number): string {
  const ratio = (away / here).toFixed(2)
  return `one worker ${work} in ${seconds(away)} s, the main thread alone in ${seconds(here)} s: ${ratio} × of that`
}
