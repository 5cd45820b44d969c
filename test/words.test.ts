// The check of words finds what it refuses, at its place, and leaves code in peace.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporarySite } from './support/temporary-site.ts'

const program = join(import.meta.dirname, '../.tools/check-words.mjs')

async function check(files: Readonly<Record<string, string>>) {
  const site = temporarySite()
  const all = { 'README.md': '', 'docs/page.md': '', 'src/name.ts': '', ...files }
  for (const [path, text] of Object.entries(all)) site.write(path, text)
  const found = await promisify(execFile)(process.execPath, [program, site.folder]).catch(
    (error: { readonly code: number; readonly stdout: string }) => error,
  )
  return { code: 'code' in found ? found.code : 0, lines: found.stdout.trim().split('\n') }
}

it('refuses a private word in a name, and says what to write', async () => {
  const { code, lines } = await check({
    'src/crew.ts': 'export function roomyHeap(mended: string): string {\n  return mended\n}\n',
  })
  expect({ code, lines }).toEqual({
    code: 1,
    lines: [
      'src/crew.ts:1: "crew" in the name crew; write "worker pool"',
      'src/crew.ts:1: "roomy" in the name roomyHeap; write the heap class',
      'src/crew.ts:1: "mended" in the name mended; write "fixed"',
    ],
  })
})

it('refuses a private word in the prose of docs, at its line', async () => {
  const { code, lines } = await check({ 'docs/page.md': '# Page\n\nThe build runs\nanew.\n' })
  expect({ code, lines }).toEqual({ code: 1, lines: ['docs/page.md:4: "anew"; write "again"'] })
})

it('accepts the same words in code, in strings and inside other words', async () => {
  const { code } = await check({
    'docs/page.md': 'Run `quarry anew`.\n\n```sh\nquarry anew\n```\n\nRecommended.\n',
    'src/name.ts':
      "import { crew as pool } from 'ships'\nexport const screw: string = pool('anew')\n",
  })
  expect(code).toBe(0)
})

it('refuses a sentence of more than thirty words, in comments and in docs', async () => {
  const long = `${'word '.repeat(30)}word.`
  const { code, lines } = await check({
    'docs/page.md': `# Page\n\nShort. ${long}\n\n- ${'item '.repeat(30)}\n- ${'item '.repeat(30)}\n`,
    'src/name.ts': `/**\n * Short.\n *\n * ${long.replace('word word', 'word\n * word')}\n */\nexport const name = 1\n`,
  })
  expect({ code, lines }).toEqual({
    code: 1,
    lines: [
      'src/name.ts:4: a sentence of 31 words; split it',
      'docs/page.md:3: a sentence of 31 words; split it',
    ],
  })
})
