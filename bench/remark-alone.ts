// The time that remark alone takes for the bodies of a corpus: in one process, and in several at once, each with its
// share of them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadPosts } from './contenders.ts'
import { type Figures, onCores } from './measured-run.ts'

/** Bodies that are rendered before any are measured. */
const warmUpBodies = 50

/** Bodies that are measured at most; what they take is scaled to the bytes of all. */
const measuredBodies = 1000

/** Bodies of a corpus, at hand for processes of their own. */
export class RemarkAlone {
  /** Of all bodies of the corpus. */
  readonly bytes: number
  readonly #file: string
  readonly #scale: number

  /** @param folder where the bodies are put */
  constructor(folder: string, posts: ReadPosts) {
    const bodies: string[] = []
    let bytes = 0
    for (const { body } of posts()) {
      bytes += Buffer.byteLength(body)
      if (bodies.length < warmUpBodies + measuredBodies) bodies.push(body)
    }
    // What warms it up may be measured too: a corpus may have no more than those.
    const measured = bodies.length > measuredBodies ? bodies.slice(warmUpBodies) : bodies
    this.bytes = bytes
    this.#scale = bytes / measured.reduce((sum, body) => sum + Buffer.byteLength(body), 0)
    this.#file = join(folder, 'bodies.json')
    writeFileSync(this.#file, JSON.stringify({ warmUp: bodies.slice(0, warmUpBodies), measured }))
  }

  /**
   * Renders all bodies in so many processes at once, on as many cores at most.
   *
   * @param cores undefined for all there are
   * @returns from when all of them are warm until the last one has ended
   */
  async measure(processes: number, cores: number | undefined): Promise<Figures> {
    const all = Array.from({ length: processes }, (_, share) =>
      this.#start(share, processes, cores),
    )
    await Promise.all(all.map(({ ready }) => ready))
    const started = performance.now()
    const shares = await Promise.all(all.map(({ go }) => go()))
    const milliseconds = performance.now() - started
    // Else their processor time would be counted as that of whatever runs next.
    await Promise.all(all.map(({ ended }) => ended))
    const processor = shares.reduce((sum, share) => sum + share.processorMilliseconds, 0)
    return {
      milliseconds: milliseconds * this.#scale,
      processorMilliseconds: processor * this.#scale,
      peakBytes: 0,
    }
  }

  #start(share: number, shares: number, cores: number | undefined) {
    const script = join(import.meta.dirname, 'remark-alone.mjs')
    const args = [script, this.#file, String(share), String(shares)]
    const { file, args: pinned } = onCores({ file: process.execPath, args, folder: '.' }, cores)
    const child = spawn(file, pinned, { stdio: ['pipe', 'pipe', 'inherit'] })
    const go = async (): Promise<Pick<Figures, 'processorMilliseconds'>> => {
      child.stdin.end('go\n')
      const [json] = await once(child.stdout, 'data')
      return JSON.parse(String(json))
    }
    return { ready: once(child.stdout, 'data'), go, ended: once(child, 'close') }
  }
}
