// A long fuzz test of the handler: `npx jiti bench/fuzz.ts SECONDS [SEED]`. Exits with 1 at the first wrong response.
// Not a measurement. Prints the seed, so that a run can be repeated.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../src/build/build.ts'
import { resolveSettings } from '../src/config.ts'
import fc from '../test/support/fast-check.ts'
import { hostileRequests, problemOf } from '../test/support/hostile.ts'
import { sampleNow, writeSample } from '../test/support/sample-site.ts'
import { serveFolder } from '../test/support/served-site.ts'

const seconds = Number(process.argv[2] ?? 60)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31)
const folder = mkdtempSync(join(tmpdir(), 'quarry-fuzz-'))

try {
  const [content, out] = [join(folder, 'content'), join(folder, 'dist')]
  writeSample(folder)
  await build(resolveSettings({ content, out }), { now: sampleNow })
  const served = await serveFolder(out)
  const handler = served.handler({ replyCacheBytes: 256 * 1024, now: () => sampleNow })
  const keys = ['journal', 'notes', 'vault'].map(served.keyOf)
  const result = await fc.check(
    fc.asyncProperty(hostileRequests(keys), async (request) => {
      const problem = await problemOf(handler, request)
      if (problem !== null) throw new Error(problem)
    }),
    { numRuns: 1e9, seed, interruptAfterTimeLimit: seconds * 1000, markInterruptAsFailure: false },
  )
  const outcome = result.failed ? fc.defaultReportMessage(result) : 'every answer was right'
  process.stdout.write(`seed ${seed}, ${result.numRuns} requests: ${outcome}\n`)
  process.exitCode = result.failed ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
