// The commands of the documentation that upload a build, run as they are written.
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { call } from '../support/command-call.ts'
import { temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')

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
