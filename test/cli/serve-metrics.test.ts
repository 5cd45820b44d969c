// The metrics of `quarry serve`: counted from real requests, without anything that a client chose in a label.
import { expect, it, onTestFinished } from 'vitest'
import { run, start } from '../support/command-line.ts'
import { temporarySite } from '../support/temporary-site.ts'

it('counts responses by version, status and source, and names the build that is served', async () => {
  const site = temporarySite().post('first')
  await site.build()
  const running = start(site.folder, ['serve', '--port', '0'], {
    QUARRY_METRICS_PORT: '0',
    QUARRY_RATE_LIMIT: 'off',
  })
  onTestFinished(() => running.stop('SIGKILL'))
  const [, build, url] = await running.waitFor(/^Serving build (\w+) at (\S+)$/m)
  const [, metrics = ''] = await running.waitFor(/^Metrics at (\S+)$/m)
  const before = await (await fetch(metrics)).text()
  expect(before).toContain(`quarry_build_info{build="${build}"} 1`)
  expect(before).not.toContain('quarry_http_requests_total{')
  for (const path of [
    '/v1/acme/posts',
    '/v1/acme/posts',
    '/v1/acme/posts/SECRET-path',
    '/v2/posts',
  ])
    await fetch(`${url}${path}`, { headers: { authorization: 'Bearer SECRET-key' } })
  expect((await fetch(`${url}/metrics`)).status).toBe(404)
  expect((await fetch(metrics.replace('/metrics', '/'))).status).toBe(404)
  const response = await fetch(metrics)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  const counts = [...text.matchAll(/^quarry_http_requests_total\{(.*)\} (\d+)$/gm)]
  expect(Object.fromEntries(counts.map(([, labels, count]) => [labels, Number(count)]))).toEqual({
    'version="v1",status="200",source="index"': 1,
    'version="v1",status="200",source="cache"': 1,
    'version="v1",status="404",source="none"': 1,
    'version="v2",status="401",source="none"': 1,
    'version="none",status="404",source="none"': 1,
  })
  expect(text).toContain('quarry_http_request_duration_seconds_count{version="v1"} 3')
  expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
  expect(text).not.toContain('SECRET')

  site.post('second')
  await site.build()
  await running.waitForError(/"event":"build"/)
  const after = await (await fetch(metrics)).text()
  const [, next] = /quarry_build_info\{build="(\w+)"\} 1/.exec(after) ?? []
  expect(next).toMatch(/^\w+$/)
  expect(next).not.toBe(build)
  expect(after.match(/^quarry_build_info\{/gm)).toHaveLength(1)
})

it('ends with 2 for a port that is none', async () => {
  const site = temporarySite().post('first')
  await site.build()
  const { exitCode, stderr } = await run(site.folder, ['serve', '--port', '0'], {
    QUARRY_METRICS_PORT: 'http',
  })
  expect(exitCode).toBe(2)
  expect(stderr).toContain('QUARRY_METRICS_PORT is "http". It must be a number from 0 to 65535.')
})
