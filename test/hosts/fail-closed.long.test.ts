// Real hosts with a deployment, asked for every private byte by every spelling. QUARRY_PROBE_ALL asks for all files.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openNginx } from '../conformance/nginx.ts'
import { type ListeningHost, openBun, openCloudflare, openDeno } from '../conformance/programs.ts'
import { openVercel } from '../conformance/vercel.ts'
import { run } from '../support/command-line.ts'
import { provideNginx } from '../support/nginx.ts'

const isWhole = process.env['QUARRY_PROBE_ALL'] !== undefined

describe('no private byte without a key', () => {
  it.for([
    ['workerd', openCloudflare, 30],
    ['nginx before quarry serve', openNginx, 30],
    ["Vercel's routes and function", openVercel, 10],
    ['Deno', openDeno, 30],
    ['Bun', openBun, 30],
  ] as const)(
    'comes from %s',
    { timeout: isWhole ? 1_200_000 : 300_000 },
    async ([name, open, count], { skip }) => {
      if (open === openNginx && provideNginx() !== null) skip('there is no nginx')
      const host = await open()
      const { url, folder, site, close } = host
      if (open === openCloudflare) await expectNoAsset(host)
      const words = ['doctor', '--probe', url, ...(isWhole ? [] : ['--files', String(count)])]
      const { exitCode, stdout, stderr } = await run(folder, words, { QUARRY_KEY: site.keys.other })
      await close?.()
      process.stdout.write(`${name}: ${stdout.trim().split('\n').at(-1)}\n`)
      expect(stderr).toBe('')
      expect(stdout).toMatch(/: 0 findings\. [\d,]{5,} probes: 0 leaks\.\n$/)
      expect(exitCode).toBe(0)
    },
  )
})

/** Every asset but images, by its own path: keys, records and precomputed responses are among them. */
async function expectNoAsset({ url, files }: ListeningHost): Promise<void> {
  const folder = files?.folder ?? ''
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((name) => !name.startsWith('media/'))
  expect(names.some((name) => name.startsWith('responses/'))).toBe(true)
  for (const name of names) {
    for (const path of [
      ...[`/${name}`, `/./${name}`, `/%2e/${name}`, `/${name}?x`, `/assets/${name}`, `//${name}`],
      ...[`/v1/../${name}`, `/media/../${name}`, `/media/%2e%2e/${name}`],
      `/${name.replace('/', '%2f')}`,
    ]) {
      const response = await fetch(`${url}${path}`)
      const text = await response.text()
      expect([401, 404], path).toContain(response.status)
      expect(Object.keys(JSON.parse(text)).sort().join(), path).toMatch(
        /^(details,)?error,message$/,
      )
    }
  }
}
