// Damaged files of a function, on any host: a response is the undamaged one or a 500.
// QUARRY_DAMAGE=1000 tries as many damages; each host is started again for every two.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { responsesFolder } from '../../src/runtime/stored-response.ts'
import { anyDamage, type Damage, damageOne } from '../support/damage.ts'
import fc from '../support/fast-check.ts'
import type { HostUnderTest } from './host.ts'

/** Damages at a time, so that few starts try many. */
const atOnce = 2

const rounds = Math.ceil(Number(process.env['QUARRY_DAMAGE'] ?? 12) / atOnce)

/** Damages a host's files and starts it again, several times. */
export function defineDamage(name: string, hostOf: () => HostUnderTest | undefined): void {
  it(
    'gives the undamaged response or a 500 where its files are damaged',
    async ({ skip }) => {
      const host = hostOf()
      if (host?.files === undefined) return skip('another host has these files')
      const { folder, restart } = host.files
      // Functions in this process write their faults there.
      const log = vi.spyOn(console, 'error').mockReturnValue()
      onTestFinished(() => log.mockRestore())
      const names = filesIn(folder)
      const whole = new Map(names.map((file) => [file, readFileSync(join(folder, file))]))
      const expected = await responsesOf(host)
      const counts = { tried: 0, same: 0, refused: 0 }
      for (const damages of fc.sample(someDamages, { numRuns: rounds, seed: 4 })) {
        const damaged = damageAll(whole, damages)
        write(folder, damaged)
        const responses = await restarted(host, restart)
        write(folder, whole)
        counts.tried += damaged.size
        for (const [at, response] of responses.entries()) {
          counts[response.status === 500 ? 'refused' : 'same'] += 1
          if (response.status === 500) continue
          expect(response, [...damaged.keys()].join()).toEqual(expected[at])
        }
      }
      process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`)
      expect(counts.refused).toBeGreaterThan(0)
      expect(counts.same).toBeGreaterThan(0)
    },
    60_000 + rounds * 30_000,
  )
}

const someDamages = fc.array(anyDamage, { minLength: atOnce, maxLength: atOnce })

type Files = ReadonlyMap<string, Uint8Array>

/** The files that damages change, as they are then: as many of the index and its records as of responses. */
function damageAll(whole: Files, damages: readonly Damage[]): Files {
  const isResponse = (name: string) => name.startsWith(`${responsesFolder}/`)
  const names = [...whole.keys()]
  const groups = [names.filter((name) => !isResponse(name)), names.filter(isResponse)]
  return new Map(groups.flatMap((group) => [...damageSome(group, whole, damages)]))
}

function damageSome(names: readonly string[], whole: Files, damages: readonly Damage[]): Files {
  if (names.length === 0) return new Map()
  const damaged = damages.map((damage) =>
    damageOne(names, (file) => whole.get(file) ?? new Uint8Array(0), damage),
  )
  return new Map(damaged.flatMap((file) => (file === null ? [] : [[file.name, file.bytes]])))
}

function write(folder: string, files: Files): void {
  for (const [file, bytes] of files) writeFileSync(join(folder, file), bytes)
}

/** Files of a function in a folder; `media` beside them is none. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((name) => !name.startsWith('media/'))
    .sort()
}

interface PlainResponse {
  readonly status: number
  readonly etag: string | null
  readonly body: string
}

/** A host that refuses to start answers nothing, which is as good as a 500. */
async function restarted(
  host: HostUnderTest,
  restart: () => Promise<void>,
): Promise<readonly PlainResponse[]> {
  try {
    await restart()
  } catch {
    return [{ status: 500, etag: null, body: '' }]
  }
  return responsesOf(host)
}

const targets = [
  ...['/v1/acme/posts?categories=news,tools', '/v1/acme/posts?limit=all&excludeContent=true'],
  ...['/v1/acme/posts/post-1', '/v1/acme/posts/post-2?format=markdown&x=1', '/v1/acme/tags'],
  ...['/v1/acme/posts?query=post', '/v1/acme/posts?query=st%201', '/v1/acme/posts?query=e'],
  ...['/v1/acme/posts?query=os', '/v1/acme/posts?query=nowhere', '/v1/acme/posts/none'],
  ...['/v2/posts', '/v2/posts?query=a', '/v2/posts/post-3', '/v2/authors?include=posts'],
]

async function responsesOf({ request, site }: HostUnderTest): Promise<readonly PlainResponse[]> {
  const responses: PlainResponse[] = []
  for (const target of targets) {
    const headers = { authorization: `Bearer ${site.keys.full}` }
    const response = await request(target, target.startsWith('/v2') ? { headers } : {})
    const { status } = response
    responses.push({ status, etag: response.headers.get('etag'), body: await response.text() })
  }
  return responses
}
