// The section of `docs/errors.md` about a code, from the package.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DiagnosticCode } from '../../diagnostics.ts'
import { packageInfo } from '../package-info.ts'

/** Returns the section of `docs/errors.md` about a code, in Markdown without test markers. */
export function codeSection(code: DiagnosticCode): string {
  const text = readFileSync(join(packageInfo().folder, 'docs/errors.md'), 'utf8')
  const [, section = ''] = text.split(`\n### ${code}\n`)
  const [own = ''] = section.split(/^#{2,3} /m)
  return `${code}\n\n${own.replace(/^<!-- .* -->\n/gm, '').trim()}`
}
