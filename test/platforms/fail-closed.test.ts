// Real hosts with a deployment, asked for every private byte by every spelling.
import { describe, expect, it } from 'vitest'
import { openNginx } from '../conformance/nginx.ts'
import { type ListeningHost, openBun, openCloudflare, openDeno } from '../conformance/programs.ts'
import { run } from '../support/command-line.ts'
import { provideNginx } from '../support/nginx.ts'

/** Private files that are asked for, each by every spelling; all of them take minutes on some hosts. */
const isWhole = process.env['QUARRY_PROBE_ALL'] !== undefined
const files = isWhole ? [] : ['--files', '30']
const timeout = isWhole ? 1_200_000 : 300_000

async function expectClosed(name: string, open: () => Promise<ListeningHost>): Promise<void> {
  const { url, folder, site, close } = await open()
  const words = ['doctor', '--probe', url, '--key', site.keys.other, ...files]
  const { exitCode, stdout, stderr } = await run(folder, words)
  await close?.()
  process.stdout.write(`${name}: ${stdout.trim().split('\n').at(-1)}\n`)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/ in [\d,]{6,} requests: 0 leaks\..*: 0 findings\.\n$/)
  expect(exitCode).toBe(0)
}

describe('no private byte without a key', () => {
  it(
    'comes from workerd, whose assets hold all of them',
    () => expectClosed('workerd', openCloudflare),
    timeout,
  )

  it.skipIf(provideNginx() !== null)(
    'comes from nginx before quarry serve',
    () => expectClosed('nginx', openNginx),
    timeout,
  )

  it('comes from Deno', () => expectClosed('deno', openDeno), timeout)

  it('comes from Bun', () => expectClosed('bun', openBun), timeout)
})
