// The commands that the documentation gives for uploading, run as they stand there.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { provideProgram } from '../support/programs.ts'
import { readBuild } from '../support/site-states.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/deploying.md'), 'utf8')

/** The block of commands under a mark. */
function commands(mark: string): string {
  const [, block] = text.split(`<!-- ${mark} -->\n\`\`\`sh\n`)
  return block?.split('\n```')[0] ?? ''
}

function runCommands(mark: string, site: TemporarySite): void {
  const env = { ...process.env, target: join(site.folder, 'target') }
  execFileSync('bash', ['-euc', commands(mark)], { cwd: site.folder, env, stdio: 'pipe' })
}

describe.each(['rsync', 'rclone'])('the commands for %s', (program) => {
  it.skipIf(provideProgram(program) !== null)('make a copy of the next build', async () => {
    const target = (site: TemporarySite) => readBuild(join(site.folder, 'target'))
    const site = temporarySite().posts(3)
    mkdirSync(join(site.folder, 'target'))
    await site.build()
    runCommands(program, site)
    expect(target(site)).toEqual(readBuild(site.out))
    const untouched = join(site.folder, 'target/public/v1/acme/posts/post-3.json')
    const { ino } = statSync(untouched)
    const blocks = () => readdirSync(join(site.folder, 'target/function/blocks'))
    const [oldBlock] = blocks()
    await site.post('post-1', {}, 'Other.\n').remove('content/acme/posts/post-2.md').build()
    runCommands(program, site)
    expect(target(site)).toEqual(readBuild(site.out))
    expect(statSync(untouched).ino).toBe(ino)
    expect(blocks()).toContain(oldBlock)
  })
})

describe.skipIf(provideProgram('rsync') !== null)('later', () => {
  it('deletes data that no function reads any more', async () => {
    const site = temporarySite().post('first')
    mkdirSync(join(site.folder, 'target'))
    await site.build()
    runCommands('rsync', site)
    const blocks = () => readdirSync(join(site.folder, 'target/function/blocks'))
    const [oldBlock] = blocks()
    // As on a fresh machine: nothing of an older build is in it.
    await site.post('first', {}, 'Other.\n').remove('dist').build()
    runCommands('rsync', site)
    expect(blocks()).toHaveLength(2)
    runCommands('rsync-later', site)
    expect(blocks()).toHaveLength(1)
    expect(blocks()).not.toContain(oldBlock)
  })
})
