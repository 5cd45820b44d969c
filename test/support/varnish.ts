// A Varnish of one's own: on a free port, in a folder of its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startProgram } from './process.ts'
import { provideProgram } from './programs.ts'

/** As `provideProgram`, with the module of tags. */
export function provideVarnish(): string | null {
  return provideProgram('varnishd', '-V', ['varnish', 'varnish-modules'])
}

/** A Varnish that runs. */
export interface Varnish {
  readonly url: string
  stop(): Promise<void>
}

/** Starts Varnish. @param vcl its configuration */
export async function startVarnish(vcl: string): Promise<Varnish> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-varnish-'))
  const file = join(folder, 'default.vcl')
  writeFileSync(file, vcl)
  const port = await freePort()
  // Without a jail: as root it would read the folder as another user.
  const words = [
    '-F',
    '-j',
    'none',
    '-f',
    file,
    '-a',
    `127.0.0.1:${port}`,
    '-n',
    join(folder, 'work'),
  ]
  const running = await startProgram('varnishd', [...words, '-s', 'malloc,16m'], {
    cwd: folder,
    ready: port,
  })
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
