// `quarry build`, the settings of all commands, and `quarry check`: groups, limits and formats of problems.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pixel } from '../blackbox/site.ts'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { temporarySite } from '../support/temporary-site.ts'

it('warns of drafts for a host without a function, and counts drafts that are left out', async () => {
  const site = temporarySite().post('first').post('closed', { status: 'draft' })
  const built = await call(site.folder, ['build', '--drafts', '--for', 'static'])
  expect(built.stderr).toMatch(/^warning: The host static has no function, so --drafts adds/m)
  const { stdout } = await call(site.folder, ['build'])
  expect(stdout).toMatch(/^ {2}acme: 1 post \(1 draft left out\), /m)
})

it('reports the images that a deployment has not, and removes deployments of older builds', async () => {
  const site = temporarySite().post('one', {}, '![](a.png)\n')
  site.write('content/acme/posts/a.png', pixel)
  const lambda = await call(site.folder, ['build', '--for', 'aws-lambda'])
  expect(lambda.stdout).toMatch(/^Left out: 1 image\. Upload public\/media to a bucket/m)
  await call(site.folder, ['build', '--for', 'deno'])
  const { stdout, stderr } = await call(site.post('one').folder, ['build', '--for', 'aws-lambda'])
  expect(stdout).not.toMatch(/\bimages?\b/)
  expect(stderr).toContain('deploy/deno contained an older build')
  expect(existsSync(join(site.folder, 'deploy/deno'))).toBe(false)
})

it('shows a few warnings of a kind and counts the others, without colours', async () => {
  const site = temporarySite()
  for (const name of 'abcdefgh') site.post(name, { [`my-${name}`]: 'x' })
  const { stderr } = await call(site.folder, ['build'], { FORCE_COLOR: '1' })
  expect(stderr.match(/warning unknown-key/g)).toHaveLength(5)
  expect(stderr).toContain('… and 3 more unknown-key warnings')
  expect(stderr).toContain('8 warnings')
  expect(stderr).not.toContain('\u001b')
})

it('loads no parser and no schema where nothing has changed', async () => {
  const site = temporarySite().post('first')
  const hook = `import { appendFileSync } from 'node:fs'
export const load = (url, context, next) => {
  appendFileSync('loaded.txt', \`\${url}\\n\`)
  return next(url, context)
}`
  const asUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
  const register = `import { register } from 'node:module'; register(${JSON.stringify(asUrl(hook))})`
  const packagesOf = async () => {
    site.write('loaded.txt', '')
    const built = await run(site.folder, ['build'], {
      NODE_OPTIONS: `--import "${asUrl(register)}"`,
    })
    expect(built.stderr).toBe('')
    return ['gray-matter', 'parse5', 'yaml', 'zod'].filter((name) =>
      readFileSync(join(site.folder, 'loaded.txt'), 'utf8').includes(`/node_modules/${name}/`),
    )
  }
  expect(await packagesOf()).toEqual(['gray-matter', 'yaml', 'zod'])
  expect(await packagesOf()).toEqual([])
})

it('takes settings from flags, then the environment, then the file', async () => {
  const site = temporarySite().post('first')
  site.write('quarry.config.ts', "const out: string = 'from-file'\nexport default { out }\n")
  await call(site.folder, ['build'])
  await call(site.folder, ['build'], { QUARRY_OUT: 'from-environment' })
  await call(site.folder, ['build', '--out', 'from-flag'], { QUARRY_OUT: 'ignored' })
  const built = ['from-file', 'from-environment', 'from-flag', 'ignored', 'dist'].filter((folder) =>
    existsSync(join(site.folder, folder, 'manifest.json')),
  )
  expect(built).toEqual(['from-file', 'from-environment', 'from-flag'])
})

it('shows no control character of a configuration', async () => {
  const site = temporarySite().write('quarry.config.json', '{ "\\u001b[31mX": 1 }')
  const { exitCode, stderr } = await call(site.folder, ['build'])
  const reason = expect.stringContaining('\ufffd[31mX is not a known setting.')
  expect([exitCode, stderr]).toEqual([2, reason])
})

it('prints every error, also those of one body and one code', async () => {
  const links = Array.from({ length: 1200 }, (_, at) => `[a](${at}.md)${at % 3 === 0 ? '\n' : ' '}`)
  const site = temporarySite().post('first', {}, `# Title\n\n${links.join('')}\n`)
  const { exitCode, stderr } = await call(site.folder, ['build'])
  expect([exitCode, stderr.match(/error broken-link/g)?.length]).toEqual([1, 1200])
  expect(stderr).toContain('There is no post "1199.md".')
})

it('check shows equal warnings as one, and every warning with --verbose', async () => {
  const site = temporarySite().post('i', { place: 'y' })
  for (const name of 'abcdefgh') site.post(name, { mood: 'x' }, '<b class="x">y</b>\n')
  const { exitCode, stdout } = await call(site.folder, ['check'])
  expect(exitCode).toBe(0)
  expect(existsSync(site.out)).toBe(false)
  expect(stdout.match(/warning unknown-key/g)).toHaveLength(2)
  expect(stdout).toContain(
    'content/acme/posts/a.md:5:1 warning unknown-key\n  in 8 files, first here: "mood" is not a known key',
  )
  expect(stdout).toContain('in 8 files, first here: The attribute "class" is left out.')
  const all = await call(site.folder, ['check', '--verbose'])
  expect(all.stdout.match(/warning unknown-key/g)).toHaveLength(9)
  expect(all.stdout).not.toContain('files')
})

it('check fails with more warnings than --max-warnings, and prints both numbers', async () => {
  const site = temporarySite().post('a', { mood: 'x' }).post('b', { mood: 'x' })
  const check = (max: string, ...rest: string[]) =>
    call(site.folder, ['check', '--max-warnings', max, ...rest])
  expect(await check('1')).toMatchObject({
    exitCode: 1,
    stderr: 'The content has 2 warnings; --max-warnings allows 1.\n',
  })
  const none = await check('0', '--format', 'json')
  expect([none.exitCode, JSON.parse(none.stdout).warnings]).toEqual([1, 2])
  expect(await check('2')).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await check('-1')).toMatchObject({ exitCode: 2 })
})

it('names the next step for the output folder of the flag', async () => {
  const { folder } = temporarySite().posts(1)
  const next = async (...words: string[]) => {
    const { stdout } = await call(folder, ['build', '--out', 'a/b', ...words])
    return /^Next.*/m.exec(stdout)?.[0]
  }
  expect(await next()).toMatch(/^Next: npx quarry serve --out a\/b serves it; /)
  expect(await next('--for', 'bun')).toBe('Next, in a: cd deploy/bun && bun run start')
})
