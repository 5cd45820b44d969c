// A site in a separate folder. Tests write its files, build it and read the output.
import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type BuildOptions, type BuildResult, build } from '../../src/build/build.ts'
import { checkConfig } from '../../src/config/schema.ts'
import { type QuarryConfig, resolveSettings } from '../../src/config.ts'
import { BuildError, type Diagnostic } from '../../src/diagnostics.ts'
import { filesIn } from './contents.ts'
import { emptyFolder, writeBelow } from './empty-folder.ts'

/** Noon of a day after all default dates of tests. */
export const someNoon: number = Date.UTC(2026, 5, 1, 12)

/** A site under test. */
export class TemporarySite {
  readonly folder: string = emptyFolder()
  readonly config: QuarryConfig

  constructor(config: QuarryConfig = {}) {
    const { cache = 'cache' } = config
    this.config = { workers: 1, ...config, cache: resolve(this.folder, cache) }
  }

  get content(): string {
    return join(this.folder, 'content')
  }

  get out(): string {
    return join(this.folder, 'dist')
  }

  /** Writes a file below the site's folder. */
  write(path: string, text: string | Uint8Array): this {
    writeBelow(this.folder, path, text)
    return this
  }

  remove(path: string): this {
    rmSync(join(this.folder, path), { recursive: true })
    return this
  }

  /** Writes a post. Title, category and date have defaults. */
  post(
    name: string,
    fields: Readonly<Record<string, string>> = {},
    body = 'Text.\n',
    workspace = 'acme',
  ): this {
    const all = { title: name, category: 'news', publishedAt: '2026-01-02', ...fields }
    const lines = Object.entries(all).map(([key, value]) => `${key}: ${value}\n`)
    const file = `content/${workspace}/posts/${name}.md`
    return this.write(file, `---\n${lines.join('')}---\n${body}`)
  }

  /** Writes a number of posts, a day apart. `post-1` is the oldest. */
  posts(count: number): this {
    for (let number = 1; number <= count; number++) {
      const date = new Date(Date.UTC(2026, 0, number)).toISOString()
      this.post(`post-${number}`, { publishedAt: date })
    }
    return this
  }

  async build(options: BuildOptions = {}): Promise<BuildResult> {
    const place = { content: this.content, out: this.out, project: this.folder }
    const settings = resolveSettings({ ...checkConfig(this.config, 'config'), ...place })
    return build(settings, { now: someNoon, ...options })
  }

  /** Returns the problems of a build as lines; empty for none. */
  async problems(): Promise<readonly string[]> {
    return (await this.diagnostics()).map(formatDiagnostic)
  }

  async diagnostics(): Promise<readonly Diagnostic[]> {
    try {
      return (await this.build()).diagnostics
    } catch (error) {
      if (error instanceof BuildError) return error.diagnostics
      throw error
    }
  }

  files(): readonly string[] {
    return filesIn(this.out)
  }

  /** Returns a written file, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  json(path: string): any {
    return JSON.parse(this.text(path))
  }

  /** Returns a written file as text. */
  text(path: string): string {
    return readFileSync(join(this.out, path), 'utf8')
  }
}

/** Returns a new site with the workspace `acme` and its category `news`. */
export function temporarySite(config: QuarryConfig = {}): TemporarySite {
  return new TemporarySite(config)
    .write('content/acme/workspace.yml', 'name: Acme\n')
    .write('content/acme/categories/news.md', '---\nname: News\n---\nWhat is new.\n')
}

/** Formats: `posts/hello.md:4:7 unknown-category "enginering" is not a category. Did you mean "engineering"?` */
function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, code, message, hint } = diagnostic
  const place = `${file}:${line}:${column} ${code} ${message}`
  return hint === undefined ? place : `${place} ${hint}`
}
