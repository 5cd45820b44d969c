// The commands of docs/deploying/origin.md and its workflow, run by rclone against a folder.
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { serve } from '../support/command-line.ts'
import {
  commandsOf,
  documentedProject,
  readDocument,
  shell,
} from '../support/documented-project.ts'
import { openOrigin } from '../support/origin-server.ts'
import { provideProgram } from '../support/programs.ts'
import type { TemporarySite } from '../support/temporary-site.ts'

const text = readDocument('deploying/origin.md')

/** A project whose `store:` is a folder. */
function project() {
  const site = documentedProject().write('rclone.conf', '[store]\ntype = alias\nremote = store\n')
  mkdirSync(join(site.folder, 'store'))
  return {
    site,
    run: (commands: string) => shell(site, `export RCLONE_CONFIG=rclone.conf\n${commands}`),
  }
}

const post = (site: TemporarySite, title: string) =>
  site.write(
    'content/handbook/posts/2026-02-01-two.md',
    `---\ntitle: ${title}\ncategory: news\n---\n`,
  )

const namesIn = (site: TemporarySite) =>
  readdirSync(join(site.folder, 'store/site/data')).toSorted()

/** As if all data had been uploaded two days ago. */
function age(site: TemporarySite): void {
  const then = Date.now() / 1000 - 2 * 86_400
  for (const name of namesIn(site))
    utimesSync(join(site.folder, 'store/site/data', name), then, then)
}

describe.skipIf(provideProgram('rclone', 'version') !== null)('docs/deploying/origin.md', () => {
  it('uploads builds that a server follows, and deletes what they need no more', async () => {
    const { site, run } = project()
    run(commandsOf(text, 'upload'))
    const origin = await openOrigin(join(site.folder, 'store'))
    const words = commandsOf(text, 'serve').replace('https://HOST/', origin.url).split(' ').slice(2)
    const { url, close } = await serve(site.folder, {}, words)
    expect(await (await fetch(`${url}/v1/handbook/posts`)).text()).not.toContain('Second')
    const old = namesIn(site)
    post(site, 'Second')
    run(commandsOf(text, 'upload'))
    await expect
      .poll(async () => (await fetch(`${url}/v1/handbook/posts`)).text(), { timeout: 10_000 })
      .toContain('Second')
    await close()
    run(commandsOf(text, 'unused'))
    expect(namesIn(site)).toEqual(expect.arrayContaining(old))
    age(site)
    run(commandsOf(text, 'unused'))
    expect(old.filter((name) => namesIn(site).includes(name)).length).toBeLessThan(old.length)
    expect(namesIn(site).map((name) => `data/${name}`)).toEqual(neededBy(site))
  })

  it('has a workflow that gives a pull request its own root', () => {
    const { site, run } = project()
    const file = join(import.meta.dirname, '../../examples/origin/content.yml')
    const { jobs } = parse(readFileSync(file, 'utf8'))
    const step = (job: 'upload' | 'remove', root: string, isPush = false) => {
      const steps: { readonly run?: string; readonly if?: string }[] = jobs[job].steps
      const own = steps.filter((step) => isPush || step.if === undefined)
      const commands = own
        .flatMap((step) => step.run ?? [])
        .filter((run) => !/^(sudo|npm)/.test(run))
      expect(commands.length).toBeGreaterThan(0)
      // A fresh machine has no earlier build.
      run(`rm -rf dist roots\nexport SITE=store:site ROOT=${root}\n${commands.join('\n')}`)
    }
    run(commandsOf(text, 'upload'))
    step('upload', 'root.json', true)
    const main = namesIn(site)
    post(site, 'Second')
    step('upload', 'pull-12.json')
    expect(namesIn(site).length).toBeGreaterThan(main.length)
    expect(namesIn(site).length).toBeLessThan(2 * main.length)
    age(site)
    site.remove('content/handbook/posts/2026-02-01-two.md')
    step('upload', 'root.json', true)
    expect(namesIn(site).length).toBeGreaterThan(main.length)
    step('remove', 'pull-12.json')
    expect(existsSync(join(site.folder, 'store/site/pull-12.json'))).toBe(false)
    step('upload', 'root.json', true)
    expect(namesIn(site)).toEqual(main)
  })
})

/** The names that the last build wrote for functions. */
function neededBy(site: TemporarySite): readonly string[] {
  const names = Object.keys(site.json('manifest.json').files)
  return names.flatMap((name) => /^function\/(data\/.+)/.exec(name)?.[1] ?? []).toSorted()
}
