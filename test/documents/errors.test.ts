// docs/errors.md has a section for every code, each with the report of an example. UPDATE=1 writes the reports.
import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeDiagnostics, relativeToCwd } from '../../src/cli/report.ts'
import { terminalOf } from '../../src/cli/terminal.ts'
import {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  isDiagnosticCode,
} from '../../src/diagnostics.ts'
import {
  diagnose,
  memoryProblem,
  renderProblem,
  timeoutProblem,
} from '../../src/markdown/problem.ts'
import { encodeKey } from '../../src/runtime/keys.ts'
import { pixel } from '../blackbox/site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const file = join(import.meta.dirname, '../../docs/errors.md')
const reportAtEnd = /```(?:text)?\n((?:(?!```)[\s\S])*?)\n?```\s*$/
const documents = readDocument()

describe('docs/errors.md', () => {
  it('has a section for every code, and for no other', () => {
    expect(documents.map(({ code }) => code).sort()).toEqual([...diagnosticCodes].sort())
  })

  it.each(documents.map((section) => ({ ...section })))(
    'shows what is said of $code',
    async ({ code, text, shown, isWhole }) => {
      if (!isDiagnosticCode(code)) throw new Error(`${code} is no code`)
      const found = (await diagnosticsOf(code, text)).filter((one) => one.code === code)
      expect(found).not.toEqual([])
      const [severity] = new Set(found.map((one) => one.severity))
      expect(text.trimStart()).toMatch(severity === 'error' ? /^Error\. / : /^Warning\. /)
      const shownPaths = relativeToCwd(found, 'content')
      const [printed = ''] = describeDiagnostics(shownPaths, terminalOf({}, {})).split(
        /\n+\d+ (?:error|warning)s?/,
      )
      const message = printed.split('\n')[1]?.trim() ?? ''
      const report = isWhole ? printed : message
      if (process.env['UPDATE'] === '1') update(text, shown, report)
      else expect(shown).toBe(report)
    },
  )
})

/** What has no example that a document can show: too large, not text, or a fault of ours. */
const made: Readonly<Partial<Record<DiagnosticCode, (site: TemporarySite) => unknown>>> = {
  'no-workspace': (site) => site.remove('content/acme'),
  'reserved-workspace': (site) =>
    site.write('content/posts/categories/news.md', '---\nname: News\n---\n'),
  'missing-history': (site) => site.write('content/acme/workspace.yml', 'dates: git\n'),
  'ignored-link': (site) => symlinkSync('hello.md', join(site.content, 'acme/posts/again.md')),
  'unreadable-file': (site) => {
    site.remove('content/acme/posts/hello.md')
    execFileSync('mkfifo', [join(site.content, 'acme/posts/hello.md')])
  },
  'file-too-large': (site) => site.post('hello', {}, 'Text. '.repeat(200_000)),
  'invalid-utf8': (site) =>
    site.write('content/acme/posts/hello.md', Buffer.from(post('Café'), 'latin1')),
  'front-matter-too-large': (site) => site.post('hello', { description: 'x'.repeat(70_000) }),
  'yaml-too-deep': (site) => site.post('hello', { tags: `${'['.repeat(21)}${']'.repeat(21)}` }),
  'too-deep': (site) => site.post('hello', {}, `${'>'.repeat(101)} Text.\n`),
  'html-too-large': (site) =>
    site.post(
      'hello',
      {},
      `${'[a] '.repeat(1200)}\n\n[a]: https://example.com/${'x'.repeat(1900)}\n`,
    ),
  'private-image': (site) =>
    site
      .write('content/acme/workspace.yml', 'v1: private\n')
      .write('content/acme/posts/lock.png', pixel)
      .post('hello', { coverImage: './lock.png' }),
  'invalid-image': (site) =>
    site
      .write('content/acme/posts/lock.png', 'version https://git-lfs.github.com/spec/v1\n')
      .post('hello', { coverImage: './lock.png' }),
  'no-posts': async (site) => {
    await site.posts(11).build()
    site.remove('content/acme/posts')
  },
  'lost-slug': async (site) => {
    await site.post('caches').build()
    site
      .remove('content/acme/posts/caches.md')
      .post('how-caches-work', { aliases: '[what-is-a-cache]' })
  },
  'key-in-clear': (site) =>
    site.write('content/acme/keys.yml', `# ${encodeKey(new Uint8Array(32))}\n[]\n`),
}

/** These need a body that takes seconds, or a fault of the renderer: what is said is made by the same functions. */
const failures: Readonly<Partial<Record<DiagnosticCode, () => readonly Diagnostic[]>>> = {
  'render-timeout': () => ofBody(timeoutProblem(8)),
  'render-out-of-memory': () => ofBody(memoryProblem(400)),
  'render-failed': () => ofBody(renderProblem(new Error('Cannot read properties of undefined'))),
}

function ofBody(problem: ReturnType<typeof timeoutProblem>): readonly Diagnostic[] {
  return diagnose({ file: 'acme/posts/hello.md', body: '', bodyLine: 6 }, [problem])
}

async function diagnosticsOf(code: DiagnosticCode, text: string): Promise<readonly Diagnostic[]> {
  const failure = failures[code]
  if (failure !== undefined) return failure()
  const site = temporarySite().write('content/acme/authors/ada.md', '---\nname: Ada\n---\n')
  const files = [...text.matchAll(/^```(mdx?|yml|csv)(?: (.+))?\n([\s\S]*?)^```$/gm)]
  for (const [, language = '', path, block = ''] of files) {
    const whole = language === 'yml' ? postWith(block) : `${plainPost}\n${block}`
    const ending = language === 'yml' ? 'md' : language
    if (path === undefined) site.write(`content/acme/posts/hello.${ending}`, whole)
    else site.write(`content/acme/${path}`, block)
  }
  if (files.length === 0) {
    const make = made[code]
    if (make === undefined) throw new Error(`${code} has no example`)
    await make(site.write('content/acme/posts/hello.md', plainPost))
  }
  return site.diagnostics()
}

function post(title: string): string {
  return `---\ntitle: ${title}\ncategory: news\ndate: 2026-03-04\n---\n`
}

const plainPost = post('Hello')

/** A post with these lines of front matter, in place of its own lines with the same keys. */
function postWith(lines: string): string {
  const keys = lines.split('\n').map((line) => line.split(':')[0])
  const own = plainPost.split('\n').slice(1, -2)
  const kept = own.filter((line) => !keys.includes(line.split(':')[0] ?? ''))
  return `---\n${kept.map((line) => `${line}\n`).join('')}${lines}---\n`
}

/** Sections with the report at their end: the whole report after a mark, otherwise only its message. */
function readDocument() {
  return [...readFileSync(file, 'utf8').matchAll(/^### (\S+)\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)].map(
    ([, code = '', section = '']) => {
      const [, shown = ''] = reportAtEnd.exec(section) ?? []
      return { code, text: section, shown, isWhole: section.includes('<!-- shown -->') }
    },
  )
}

/** Writes the report at the end of a section, in place of the text that is there. */
function update(section: string, shown: string, report: string): void {
  const end = section.lastIndexOf(shown)
  const made = section.slice(0, end) + report + section.slice(end + shown.length)
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(section, () => made),
  )
}
