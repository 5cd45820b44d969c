// Explanations of requests to `quarry dev`, for its explorer.
import { resolve } from 'node:path'
import { hideClearKeys } from '../../api/clear-key.ts'
import type { Keyring } from '../../runtime/keys.ts'
import type { ServedSite } from '../../runtime/site.ts'
import { explain, type Surroundings } from './explanation.ts'
import { reasonsOf } from './reasons.ts'
import { explanationJson } from './report.ts'
import { writtenFiles } from './written-files.ts'

/** A request to a served site. */
export interface ServedRequest {
  /** Path and query. */
  readonly target: string
  /** Null without a key. */
  readonly key: string | null
}

/** Returns the JSON of `quarry explain --json` for the current site. */
export async function explainServed(
  { target, key }: ServedRequest,
  {
    site,
    keyring,
    out,
  }: { readonly site: ServedSite; readonly keyring: Keyring; readonly out: string },
): Promise<string> {
  const around: Surroundings = { site, keyring, key, now: Date.now(), ...filesOf(resolve(out)) }
  const explanation = await explain(target, around)
  const why = reasonsOf(explanation, around)
  return hideClearKeys(explanationJson(explanation, { build: site.build, now: around.now, why }))
}

/** Before the first build is written, there are no files. */
function filesOf(out: string): Pick<Surroundings, 'isWritten' | 'readFile'> {
  try {
    return writtenFiles(out)
  } catch {
    return { isWritten: () => false, readFile: () => null }
  }
}
