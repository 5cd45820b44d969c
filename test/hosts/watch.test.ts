// A watched folder tells when to look, whatever becomes of the folder itself.
// Knows nothing of what is looked for.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { watchFolder } from '../../src/hosts/watch.ts'

describe('a watched folder', () => {
  it.each<[string, (folder: string) => void]>([
    ['a file is written', (folder) => writeFileSync(join(folder, 'posts/new.md'), 'x')],
    ['a file is changed', (folder) => appendFileSync(join(folder, 'posts/a.md'), 'x')],
    ['a file is replaced', (folder) => replace(join(folder, 'posts/a.md'))],
    ['a file is removed', (folder) => rmSync(join(folder, 'posts/a.md'))],
    ['a folder is made, with files', (folder) => write(join(folder, 'posts/deep/er/b.md'))],
    ['a folder is removed', (folder) => rmSync(join(folder, 'posts'), { recursive: true })],
    ['it is removed itself', (folder) => rmSync(folder, { recursive: true })],
  ])('is looked at when %s, not only now and then', async (_what, change) => {
    const watched = makeWatched(3_600_000)
    change(watched.folder)
    await watched.sees()
  })

  it('is looked at when a file changes in a folder that was made since', async () => {
    const watched = makeWatched(3_600_000)
    for (const name of ['posts/deep/er/b.md', 'tags/c.md', 'posts/deep/d.md']) {
      write(join(watched.folder, name))
      await watched.sees()
      appendFileSync(join(watched.folder, name), 'more')
      await watched.sees()
    }
  })

  it('is looked at when a folder that came back changes', async () => {
    const watched = makeWatched()
    for (const folder of [join(watched.folder, 'posts'), watched.folder]) {
      rmSync(folder, { recursive: true })
      await watched.sees()
      write(join(watched.folder, 'posts/a.md'))
      await watched.sees()
      appendFileSync(join(watched.folder, 'posts/a.md'), 'more')
      await watched.sees()
    }
  })

  it('is seen as it is at the end of thousands of changes', async () => {
    const watched = makeWatched()
    for (let file = 0; file < 3000; file++) {
      writeFileSync(join(watched.folder, 'posts', `${file}.md`), String(file))
      if (file % 3 === 0) rmSync(join(watched.folder, 'posts', `${file}.md`))
    }
    await watched.sees()
  })

  it('is looked at once at a time, and not after it was closed', async () => {
    let looking = 0
    let most = 0
    const folder = makeFolder()
    const close = watchFolder(folder, async () => {
      looking += 1
      most = Math.max(most, looking)
      await new Promise((resolve) => setTimeout(resolve, 30))
      looking -= 1
    })
    for (let change = 0; change < 20; change++) {
      writeFileSync(join(folder, `${change}.md`), 'x')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await expect.poll(() => looking).toBe(0)
    close()
    expect(most).toBe(1)
  })
})

/** A folder with one post, and what the last look saw. */
function makeWatched(heartbeat?: number) {
  const folder = makeFolder()
  write(join(folder, 'posts/a.md'))
  let seen = ''
  const close = watchFolder(
    folder,
    async () => {
      seen = namesAndTexts(folder)
    },
    heartbeat,
  )
  onTestFinished(close)
  const sees = () => expect.poll(() => seen, { timeout: 20_000 }).toBe(namesAndTexts(folder))
  return { folder, sees }
}

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quarry-watch-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function write(file: string): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, 'text')
}

function replace(file: string): void {
  writeFileSync(`${file}.new`, 'other')
  renameSync(`${file}.new`, file)
}

/** Everything below a folder, as one text. */
function namesAndTexts(folder: string): string {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return `${path} ${entry.isFile() ? readFileSync(path, 'utf8') : ''}`
      })
      .sort()
      .join('\n')
  } catch {
    return 'gone'
  }
}
