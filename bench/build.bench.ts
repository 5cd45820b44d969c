// Cold builds of seeded corpora, beside the time that remark alone takes on the same bodies.
// Usage: npm run bench:build -- [posts …]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import remarkGfm from 'remark-gfm'
import remarkHtml from 'remark-html'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { corpusPosts, writeCorpus } from './corpus.ts'

const meanBytes = 7500
const counts = process.argv.slice(2).map(Number)
const cores = availableParallelism()

print(`machine   ${cpus()[0]?.model ?? 'unknown'}, ${cores} cores, Node ${process.version}`)
print(`commit    ${commit()}`)
print('')
print(
  'posts    MB    cold s  read s  render s  write s  peak MB   files  remark alone s  build / (remark / cores)',
)
for (const posts of counts.length > 0 ? counts : [1000, 5000, 20_000]) print(measure(posts))

function measure(posts: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-'))
  try {
    writeCorpus(join(folder, 'content'), { posts, meanBytes })
    const remark = remarkAlone(posts)
    const run = JSON.parse(
      execFileSync(process.execPath, [join(import.meta.dirname, 'one-build.mjs'), folder], {
        encoding: 'utf8',
      }),
    )
    const { total, read, render, write } = run.timings
    return [
      String(posts).padEnd(7),
      (remark.bytes / 1e6).toFixed(0).padStart(3),
      seconds(total, 9),
      seconds(read, 7),
      seconds(render, 9),
      seconds(write, 8),
      String(Math.round(run.peakBytes / 1e6)).padStart(8),
      String(run.files).padStart(7),
      seconds(remark.milliseconds, 15),
      (total / (remark.milliseconds / cores)).toFixed(2).padStart(25),
    ].join(' ')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One core, a frozen processor, warmed up; measured on at most 1,000 bodies and scaled by bytes. */
function remarkAlone(posts: number): { readonly milliseconds: number; readonly bytes: number } {
  const processor = unified().use(remarkParse).use(remarkGfm).use(remarkHtml).freeze()
  let measured = 0
  let milliseconds = 0
  let bytes = 0
  let number = 0
  for (const { body } of corpusPosts({ posts, meanBytes })) {
    bytes += Buffer.byteLength(body)
    number += 1
    if (number > 1050) continue
    const started = performance.now()
    const html = String(processor.processSync(body))
    if (number > 50 && html !== '') {
      milliseconds += performance.now() - started
      measured += Buffer.byteLength(body)
    }
  }
  return { milliseconds: (milliseconds / measured) * bytes, bytes }
}

function seconds(milliseconds: number, width: number): string {
  return (milliseconds / 1000).toFixed(2).padStart(width)
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
