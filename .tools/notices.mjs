// Makes THIRD-PARTY-NOTICES: the licences of the packages whose code is in bundles.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = '.lib/bundled-packages'
const licenceFile = /^(licen[cs]e|copying|notice)(\.|-|$)/i

/**
 * Stores which packages are in a bundle.
 *
 * @param name of the bundle
 * @param metafile of esbuild
 */
export function recordPackages(name, { inputs }) {
  const packages = Object.keys(inputs).flatMap((path) => {
    const [, found] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
    return found === undefined ? [] : [found]
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), JSON.stringify([...new Set(packages)].sort()))
}

/** Writes the licences of all packages that were stored, by name and version. @throws Error for a package without one */
export function writeNotices() {
  const places = readdirSync(folder).flatMap((file) =>
    JSON.parse(readFileSync(join(folder, file), 'utf8')),
  )
  const notices = new Map([...new Set(places)].map(noticeOf))
  const text = [...notices].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice)
  writeFileSync('THIRD-PARTY-NOTICES', `${introduction}\n\n${text.join('\n\n')}\n`)
}

const introduction = `The compiled files of quarry contain code of these packages.`

function noticeOf(place) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(place, 'package.json'), 'utf8'),
  )
  const texts = readdirSync(place)
    .filter((file) => licenceFile.test(file))
    .sort()
    .map((file) => readFileSync(join(place, file), 'utf8').replaceAll('\r\n', '\n').trim())
  if (texts.length === 0 && license === undefined) throw new Error(`${place} has no licence.`)
  const holder = typeof author === 'string' ? author : author?.name
  const stated = texts.length > 0 ? texts : [`Copyright: ${holder ?? 'its authors'}`]
  const key = `${name} ${version}`
  return [key, [`${'-'.repeat(80)}\n${key} (${license})`, ...stated].join('\n\n')]
}
