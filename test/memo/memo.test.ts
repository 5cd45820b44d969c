// A memo gives what running every rule gives, whatever changed, was damaged or lost in between.
// Knows no rule of quarry.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { CacheDamageError } from '../../src/cache/stored-bytes.ts'
import { ImpureRuleError, Memo, type Rule } from '../../src/memo/memo.ts'
import fc from '../support/fast-check.ts'

const version = 'test'

/** Words of a text, sorted: many texts have the same. */
const words: Rule<string, string> = {
  name: 'words',
  keyOf: (text) => text,
  run: (text) => ({ words: Buffer.from([...new Set(text.split(' '))].sort().join(' ')) }),
  valueOf: (record) => record.text('words'),
}

/** What stands for the words of several texts. */
const site: Rule<readonly string[], string> = {
  name: 'site',
  keyOf: (words) => JSON.stringify(words),
  run: async (words) => ({ site: Buffer.from(words.join(' | ')) }),
  valueOf: (record) => record.text('site'),
}

async function build(memo: Memo, texts: readonly string[]): Promise<string> {
  const all: string[] = []
  for (const text of texts) all.push(await memo.get(words, text))
  return memo.get(site, all)
}

describe('a memo', () => {
  it('equals running everything, whatever is edited, damaged or lost between builds', async () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
    const texts = fc.array(
      text.map((all) => all.join(' ')),
      { maxLength: 5 },
    )
    const event = fc.constantFrom('save', 'save', 'lose', 'damage', 'verify')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(texts, event), { maxLength: 8 }), async (builds) => {
        const folder = temporaryFolder()
        for (const [content, event] of builds) {
          const expected = await plainBuild(content)
          expect(await buildOnce(folder, content, event)).toBe(expected)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('runs a rule once, and none whose inputs came out equal', async () => {
    const memo = new Memo(openCache(temporaryFolder()), { version })
    await build(memo, ['a b', 'c'])
    expect(Object.fromEntries(memo.runs)).toEqual({ words: 2, site: 1 })
    // Other text with the same words: the site is made of the words alone.
    await build(memo, ['b a b', 'c'])
    expect(Object.fromEntries(memo.runs)).toEqual({ words: 3, site: 1 })
  })

  it('finds nothing of another version', async () => {
    const folder = temporaryFolder()
    const cache = openCache(folder)
    await new Memo(cache, { version }).get(words, 'a')
    expect(new Memo(cache, { version: 'other' }).find(words, 'a')).toBeUndefined()
    expect(new Memo(cache, { version }).find(words, 'a')).toBe('a')
    expect(new Memo(cache, { version }).has(site, ['a'])).toBe(false)
  })

  it('finds a rule out that reads what its key does not tell', async () => {
    let calls = 0
    const impure: Rule<string, string> = {
      ...words,
      run: (text) => {
        calls += 1
        return { words: Buffer.from(`${text} ${calls}`) }
      },
    }
    const cache = openCache(temporaryFolder())
    expect(await new Memo(cache, { version }).get(impure, 'a')).toBe('a 1')
    expect(await new Memo(cache, { version }).get(impure, 'a')).toBe('a 1')
    const verified = new Memo(cache, { version, isVerified: true })
    await expect(verified.get(impure, 'a')).rejects.toThrow(ImpureRuleError)
    expect(await new Memo(cache, { version, isVerified: true }).get(words, 'b')).toBe('b')
    expect(await new Memo(cache, { version, isVerified: true }).get(words, 'b')).toBe('b')
  })
})

/** The same without a memo. */
async function plainBuild(texts: readonly string[]): Promise<string> {
  return texts.map((text) => [...new Set(text.split(' '))].sort().join(' ')).join(' | ')
}

async function buildOnce(
  folder: string,
  texts: readonly string[],
  event: string,
): Promise<string | undefined> {
  if (event === 'damage') damage(folder)
  for (;;) {
    const cache = Cache.open(folder)
    try {
      const made = await build(new Memo(cache, { version, isVerified: event === 'verify' }), texts)
      if (event !== 'lose') cache.save({ isComplete: true })
      return made
    } catch (error) {
      if (!(error instanceof CacheDamageError)) throw error
      rmSync(error.path)
    } finally {
      cache.close()
    }
  }
}

/** Turns a byte in the middle of each file. */
function damage(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
    writeFileSync(path, bytes)
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-memo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function openCache(folder: string): Cache {
  const cache = Cache.open(folder)
  onTestFinished(() => cache.close())
  return cache
}
