// Measures the time from saving a file to the new response of `quarry dev`, by polling until the response changes.
// Usage: npm run bench:dev -- [posts …]
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeCorpus } from './corpus.ts'

const main = join(import.meta.dirname, '../.lib/cli/main.js')
const meanBytes = 7500
const edits = 40
const counts = process.argv.slice(2).map(Number)

print(`machine   ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}`)
print(`commit    ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' })}`)
print('posts    edited     median ms   p90 ms   slowest ms')
for (const posts of counts.length > 0 ? counts : [100, 1000]) await measure(posts)

async function measure(posts: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-dev-bench-'))
  const content = join(folder, 'content')
  writeCorpus(content, { posts, meanBytes })
  const dev = spawn(process.execPath, [main, 'dev', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const url = await urlOf(dev)
    for (const what of ['body', 'title'] as const) {
      const times: number[] = []
      for (let edit = 0; edit < edits; edit++) {
        // Varies the phase relative to the loop's polling.
        await pause(200 + 17 * edit)
        times.push(await editAndAsk(content, url, { number: edit % posts, what, edit }))
      }
      print(report(posts, what, times))
    }
  } finally {
    dev.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function editAndAsk(
  content: string,
  url: string,
  { number, what, edit }: { number: number; what: 'body' | 'title'; edit: number },
): Promise<number> {
  const file = join(content, 'bench/posts', `post-${number}.md`)
  const text = readFileSync(file, 'utf8')
  const mark = `marked ${what} ${edit}`
  const changed =
    what === 'body' ? `${text}\n${mark}\n` : text.replace(/^title: .*$/m, `title: ${mark}`)
  const started = performance.now()
  writeFileSync(file, changed)
  for (;;) {
    const response = await fetch(`${url}/v1/bench/posts/post-${number}`)
    if ((await response.text()).includes(mark)) return performance.now() - started
    await pause(1)
  }
}

function urlOf(dev: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    dev.stdout?.on('data', (chunk) => {
      output += String(chunk)
      const url = /(http:\/\/[\d.:]+)/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
    dev.once('exit', (code) => reject(new Error(`quarry dev ended with ${code}`)))
  })
}

function report(posts: number, what: string, times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0)
  return [
    String(posts).padEnd(8),
    what.padEnd(8),
    at(0.5).padStart(11),
    at(0.9).padStart(8),
    at(1).padStart(12),
  ].join(' ')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
