import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporarySite } from '../support/temporary-site.ts'

const main = join(import.meta.dirname, '../../.lib/cli/main.js')

/** A server whose log is read by nobody yet. */
async function serveUnread() {
  const site = temporarySite().post('first')
  await site.build()
  const child = spawn(process.execPath, [main, 'serve', '--port', '0'], {
    cwd: site.folder,
    env: { PATH: process.env['PATH'], QUARRY_RATE_LIMIT: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [text] = await once(child.stdout, 'data')
  return { child, port: Number(/:(\d+)\n/.exec(String(text))?.[1]) }
}

/** Sends so many requests with long targets, one after the other on one connection; every one is answered. */
async function requestMany(port: number, count: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const closed = once(socket, 'close')
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part
  })
  const target = `/status?${'x'.repeat(2000)}`
  const request = `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`
  socket.write(request.repeat(count - 1))
  socket.write(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  await closed
  expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(count)
}

function ended(child: ChildProcess): Promise<unknown[]> {
  return child.exitCode === null ? once(child, 'exit') : Promise.resolve([child.exitCode])
}

describe('a log that nobody reads', () => {
  it('drops lines beyond a bound, and says how many when it is read again', async () => {
    const { child, port } = await serveUnread()
    await requestMany(port, 3000)
    let text = ''
    const reported = new Promise<void>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.includes('"droppedLines":')) resolve()
      })
    })
    await reported
    child.kill('SIGTERM')
    await ended(child)
    const entries = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const kept = entries.filter(({ event }) => event === 'request').length
    const dropped = entries.reduce((sum, { droppedLines = 0 }) => sum + droppedLines, 0)
    expect(kept + dropped).toBe(3000)
    expect(dropped).toBeGreaterThan(1000)
  })

  it('does not keep the process from ending with 0', async () => {
    const { child, port } = await serveUnread()
    await requestMany(port, 1000)
    child.kill('SIGTERM')
    expect(await ended(child)).toEqual([0, null])
  })
})
