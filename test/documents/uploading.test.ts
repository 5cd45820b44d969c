// The commands of the documentation that upload a build, run as they are written.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call } from '../support/command-call.ts'
import { contentsOf } from '../support/contents.ts'
import { provideProgram } from '../support/programs.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/operating.md'), 'utf8')

/** Runs the block of commands below a mark. */
function runCommands(mark: string, site: TemporarySite): void {
  const [, block] = text.split(`<!-- ${mark} -->\n\`\`\`sh\n`)
  const commands = block?.split('\n```')[0] ?? ''
  const env = { ...process.env, target: join(site.folder, 'target') }
  execFileSync('bash', ['-euc', commands], { cwd: site.folder, env, stdio: 'pipe' })
}

describe.skipIf(provideProgram('rsync') !== null)('the commands for rsync', () => {
  it('make a copy of the next build, and later delete data that no function reads', async () => {
    const target = (site: TemporarySite) => contentsOf(join(site.folder, 'target'))
    const site = temporarySite().posts(3)
    mkdirSync(join(site.folder, 'target'))
    await site.build()
    runCommands('rsync', site)
    expect(target(site)).toEqual(contentsOf(site.out))
    const untouched = join(site.folder, 'target/public/v1/acme/posts/post-3.json')
    const { ino } = statSync(untouched)
    const data = (folder: string) =>
      readdirSync(join(folder, 'function'), { recursive: true, encoding: 'utf8' })
    const before = data(site.out)
    // As on a fresh machine: nothing of the older build is in its folder.
    await site
      .post('post-1', {}, 'Other.\n')
      .remove('content/acme/posts/post-2.md')
      .remove('dist')
      .build()
    runCommands('rsync', site)
    expect(target(site)).toEqual(contentsOf(site.out))
    expect(statSync(untouched).ino).toBe(ino)
    expect(data(join(site.folder, 'target'))).toEqual(expect.arrayContaining(before))
    runCommands('later', site)
    expect(data(join(site.folder, 'target')).sort()).toEqual(data(site.out).sort())
  })
})

it('examples/static/upload.sh uploads single resources before lists, and removes the rest', async () => {
  const site = temporarySite().posts(2)
  const words = ['build', '--for', 'static', '--now', '2026-06-01']
  expect((await call(site.folder, words)).exitCode).toBe(0)
  site.write('bin/aws', awsThatRecords)
  chmodSync(join(site.folder, 'bin/aws'), 0o755)
  writeFileSync(join(site.folder, 'there'), 'v1/acme/posts/gone\nv1/acme/posts\n')
  execFileSync('sh', [join(root, 'examples/static/upload.sh'), 'bucket'], {
    cwd: site.folder,
    env: { ...process.env, PATH: `${join(site.folder, 'bin')}:${process.env['PATH']}` },
    stdio: 'pipe',
  })
  const lines = readFileSync(join(site.folder, 'uploaded'), 'utf8').trim().split('\n')
  const objects: readonly { readonly key: string }[] = JSON.parse(
    readFileSync(join(site.folder, 'deploy/static/objects.json'), 'utf8'),
  )
  const uploaded = lines.filter((line) => !line.startsWith('s3://'))
  expect([...uploaded].sort()).toEqual(objects.map(({ key }) => key).sort())
  expect(uploaded.indexOf('v1/acme/posts/post-1')).toBeLessThan(uploaded.indexOf('v1/acme/posts'))
  expect(lines.filter((line) => line.startsWith('s3://'))).toEqual([
    's3://bucket/v1/acme/posts/gone',
  ])
})

/** Writes the keys of objects to `uploaded`, and the URLs that it is told to remove. */
const awsThatRecords = `#!/bin/sh
case "$1 $2" in
's3 cp') (cd "$3" && find . -type f | sed 's:^./::') >> uploaded ;;
's3 rm') echo "$3" >> uploaded ;;
's3api list-objects-v2') cat there ;;
esac
`
