// Sets the version of every package, and where the project lives.
// Usage: npm run release -- VERSION [URL of the repository, such as https://github.com/acme/quarry]
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const [version, url] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? '') || (url && !URL.canParse(url))) {
  process.stderr.write('Usage: npm run release -- VERSION [URL of the repository]\n')
  process.exit(2)
}
const { version: before } = JSON.parse(readFileSync('package.json', 'utf8'))
const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')

const manifests = tracked.filter((path) => /^(packages\/[^/]+\/)?package\.json$/.test(path))
for (const path of manifests) {
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  manifest.version = version
  for (const group of ['dependencies', 'peerDependencies']) {
    if (manifest[group]?.quarry) manifest[group].quarry = version
  }
  if (url && !manifest.private) {
    const directory = path.replace(/\/?package\.json$/, '')
    manifest.repository = { type: 'git', url: `git+${url}.git`, ...(directory && { directory }) }
    manifest.homepage = `${url}#readme`
    manifest.bugs = `${url}/issues`
  }
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`)
}
// The names of tarballs, in documentation and examples.
for (const path of tracked.filter((path) => /\.(md|json|ts|mjs|ya?ml)$/.test(path))) {
  const text = readFileSync(path, 'utf8')
  const changed = text.replaceAll(
    new RegExp(`(quarry(?:-\\w+)?)-${before.replaceAll('.', '\\.')}\\.tgz`, 'g'),
    `$1-${version}.tgz`,
  )
  if (changed !== text) writeFileSync(path, changed)
}
execFileSync('npm', ['install', '--package-lock-only', '--omit-lockfile-registry-resolved'], {
  stdio: 'inherit',
})
