// Imports that are killed at some moment and run again: a real process, and the result of an import that was not.
// QUARRY_FAULTS=all kills each more often.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { run, start } from '../../../test/support/command-line.ts'
import { emptyFolder } from '../../../test/support/empty-folder.ts'
import { put } from './imported.ts'

const posts = 150
const kills = process.env['QUARRY_FAULTS'] === 'all' ? 40 : 3

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const numbers = Array.from({ length: posts }, (_, number) => number)

/** Writes a site of Jekyll. */
function writeSource(folder: string): void {
  for (const number of numbers) {
    put(folder, `source/img/${number}.png`, Buffer.concat([png, Buffer.from([number])]))
    const front = `title: Post ${number}\ntags: [t${number % 7}]\nauthor: Ada ${number % 5}`
    const body = `![a](/img/${number}.png)\n`
    put(folder, `source/_posts/2020-01-02-post-${number}.md`, `---\n${front}\n---\n${body}`)
  }
}

describe('an import', () => {
  it('that is killed leaves whole files, and goes on when it is run again', async () => {
    const folder = emptyFolder()
    writeSource(folder)
    const words = ['import', 'jekyll', 'source', '--workspace', 'w', '--content']
    expect(await run(folder, [...words, 'whole'])).toMatchObject({ exitCode: 0 })
    const whole = filesBelow(join(folder, 'whole'))
    expect([...whole.keys()].filter((path) => path.includes('w/posts/'))).toHaveLength(posts)
    const content = join(folder, 'content')
    let killed = 0
    for (let kill = 0; kill < kills; kill++) {
      // Ever further into the import, and at another moment each time.
      const enough = Math.floor((whole.size * (kill + ((kill * 7) % 10) / 10)) / kills)
      const { exitCode } = await killedAt(folder, [...words, 'content'], enough)
      if (exitCode === null) killed += 1
      for (const [path, bytes] of filesBelow(content)) {
        if (!path.includes('.quarry-import')) expect(bytes).toBe(whole.get(path))
      }
    }
    expect(killed).toBeGreaterThan(0)
    const last = await run(folder, [...words, 'content'])
    expect(last).toMatchObject({ exitCode: 0 })
    expect(filesBelow(content)).toEqual(whole)
  }, 300_000)
})

/** A run that is killed once the workspace has so many files; one that was faster has an exit code. */
async function killedAt(folder: string, words: readonly string[], files: number) {
  const running = start(folder, words)
  const ended = running.ended.then(() => true)
  const workspace = join(folder, 'content/w')
  while (countBelow(workspace) < files) {
    if (await Promise.race([ended, pause(1, false)])) break
  }
  running.stop('SIGKILL')
  return running.ended
}

function countBelow(folder: string): number {
  if (!existsSync(folder)) return 0
  return ['posts', 'media', 'tags', 'authors', 'categories'].reduce((count, name) => {
    const path = join(folder, name)
    return count + (existsSync(path) ? readdirSync(path, { recursive: true }).length : 0)
  }, 0)
}

/** Bytes of every file, by path; hidden files too. */
function filesBelow(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map()
  const paths = readdirSync(folder, { recursive: true }).map(String).sort()
  const files = paths.filter((path) => statSync(join(folder, path)).isFile())
  return new Map(files.map((path) => [path, readFileSync(join(folder, path), 'latin1')]))
}
