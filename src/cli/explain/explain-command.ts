// `quarry explain`: sends one request to the last build, and explains the response.
import { resolve } from 'node:path'
import { hideClearKeys } from '../../api/clear-key.ts'
import { UseError } from '../../config.ts'
import { diagnosticCodes, isDiagnosticCode } from '../../diagnostics.ts'
import { didYouMean } from '../../model/problems.ts'
import { keyringOf } from '../../runtime/keyrings.ts'
import { type KeyFlags, readApiKey } from '../api-key.ts'
import { exitCodes } from '../failures.ts'
import { openBuild } from '../open-build.ts'
import { type CommonFlags, readSettings } from '../options.ts'
import { terminalOf } from '../terminal.ts'
import { codeSection } from './code-section.ts'
import { explain, type Surroundings } from './explanation.ts'
import { reasonsOf } from './reasons.ts'
import { describeExplanation, explanationJson } from './report.ts'
import { targetOf } from './target.ts'
import { writtenFiles } from './written-files.ts'

/** The flags of `quarry explain`. */
export interface ExplainFlags extends CommonFlags, KeyFlags {
  /** Milliseconds since 1970. */
  readonly now?: number
  readonly json?: boolean
  /** Expected status of the response. */
  readonly expect?: number
}

/**
 * Explains a request. The explanation is the result for any status, and goes to stdout. Also explains a diagnostic
 * code, which is never a URL.
 *
 * A key comes from the environment or from stdin. There is no flag for it: every user of the machine can read a command
 * in the process list, and the shell's history stores it.
 */
export async function runExplain(address: string, flags: ExplainFlags): Promise<void> {
  if (isDiagnosticCode(address)) {
    process.stdout.write(`${codeSection(address)}\n`)
    return
  }
  // No path has this form.
  if (/^[a-z]+(?:-[a-z0-9]+)+$/.test(address)) throw unknownCode(address)
  const target = targetOf(address)
  const settings = await readSettings(flags)
  const out = resolve(settings.out)
  const key = await readApiKey(flags)
  const keyring = keyringOf(process.env['QUARRY_KEYS'] ?? '')
  const live = await openBuild(out, { check: keyring })
  try {
    const site = live.current()
    const around: Surroundings = {
      site,
      keyring: keyring(site),
      key,
      now: flags.now ?? Date.now(),
      ...writtenFiles(out),
    }
    const explanation = await explain(target, around)
    const why = reasonsOf(explanation, around)
    const remarks = { build: site.build, now: around.now, why }
    const terminal = terminalOf(process.env, process.stdout)
    const text =
      flags.json === true
        ? explanationJson(explanation, remarks)
        : describeExplanation(explanation, remarks, terminal)
    process.stdout.write(`${hideClearKeys(text)}\n`)
    requireStatus(explanation.reply.status, flags.expect)
  } finally {
    live.close()
  }
}

/** Exits with 1 if the status differs from the expected one. */
function requireStatus(status: number, expected: number | undefined): void {
  if (expected === undefined || status === expected) return
  process.stderr.write(`The status is ${status}, and ${expected} is expected.\n`)
  process.exitCode = exitCodes.content
}

function unknownCode(code: string): UseError {
  const hint = didYouMean(code, diagnosticCodes) ?? 'Pass an error code, a URL or a path.'
  return new UseError(`Unknown code "${code}". ${hint}`)
}
