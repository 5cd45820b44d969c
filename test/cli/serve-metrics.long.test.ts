// The metrics of `quarry serve`, checked by Prometheus' own tool.
import { spawnSync } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { start } from '../support/command-line.ts'
import { provideProgram } from '../support/programs.ts'
import { temporarySite } from '../support/temporary-site.ts'

// Debian's package has promtool too.
const missing = provideProgram('prometheus')

it.skipIf(missing !== null)('has metrics without a fault, of names that are usual', async () => {
  const site = temporarySite().post('first')
  await site.build()
  const running = start(site.folder, ['serve', '--port', '0'], { QUARRY_METRICS_PORT: '0' })
  onTestFinished(() => running.stop('SIGKILL'))
  const [, url] = await running.waitFor(/^Serving build \w+ at (\S+)$/m)
  const [, metrics = ''] = await running.waitFor(/^Metrics at (\S+)$/m)
  for (const path of ['/v1/acme/posts', '/v1/acme/posts?query=first', '/nothing'])
    await fetch(`${url}${path}`)
  const input = await (await fetch(metrics)).text()
  const own = input
    .split('\n')
    .filter((line) => /quarry_/.test(line))
    .join('\n')
  const check = (text: string) =>
    spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  expect(check(`${own}\n`)).toMatchObject({ status: 0, stderr: '' })
  // Names of the process are those of its package, of which the tool would have some otherwise.
  expect(check(input).status).not.toBe(1)
  expect(check('a_metric{ 1\n').status).toBe(1)
})
