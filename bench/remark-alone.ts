// Measures plain remark on the bodies of a corpus: in one process, and split among several.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadPosts } from './contenders.ts'
import { type Figures, onCores } from './measured-run.ts'

/** Number of bodies for the warm-up. */
const warmUpBodies = 50

/** Maximum number of measured bodies. Their time is scaled to the bytes of all bodies. */
const measuredBodies = 1000

/** The bodies of a corpus, for separate processes. */
export class RemarkAlone {
  /** Bytes of all bodies. */
  readonly bytes: number
  readonly #file: string
  readonly #scale: number

  /** @param folder folder for the files of bodies */
  constructor(folder: string, posts: ReadPosts) {
    const bodies: string[] = []
    let bytes = 0
    for (const { body } of posts()) {
      bytes += Buffer.byteLength(body)
      if (bodies.length < warmUpBodies + measuredBodies) bodies.push(body)
    }
    // A small corpus may contain only warm-up bodies, which are then measured, too.
    const measured = bodies.length > measuredBodies ? bodies.slice(warmUpBodies) : bodies
    this.bytes = bytes
    this.#scale = bytes / measured.reduce((sum, body) => sum + Buffer.byteLength(body), 0)
    this.#file = join(folder, 'bodies.json')
    writeFileSync(this.#file, JSON.stringify({ warmUp: bodies.slice(0, warmUpBodies), measured }))
  }

  /**
   * Renders all bodies, split among processes.
   *
   * @param cores maximum number of cores; undefined for all
   * @returns the time from the end of the last warm-up to the end of the last process
   */
  async measure(processes: number, cores: number | undefined): Promise<Figures> {
    const all = Array.from({ length: processes }, (_, share) =>
      this.#start(share, processes, cores),
    )
    await Promise.all(all.map(({ ready }) => ready))
    const started = performance.now()
    const shares = await Promise.all(all.map(({ go }) => go()))
    const milliseconds = performance.now() - started
    // Waits for the processes. Otherwise the next measurement would include their processor time.
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
