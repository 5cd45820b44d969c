// Makes THIRD-PARTY-NOTICES: the licences of the packages whose code is in bundles.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const licenceFile = /^(licen[cs]e|copying|notice)(\.|-|$)/i
const introduction = `The compiled files of quarry contain code of these packages.`

/** Folders of the packages that files belong to, sorted. */
export function packagesOf(files) {
  const places = files.flatMap(
    (path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  )
  return [...new Set(places)].sort()
}

/**
 * Writes the licences by name and version of the package; a text that several packages share is there once.
 *
 * @param places folders of the packages in the bundles
 * @returns the files that were read
 * @throws Error for a package without a licence
 */
export function writeNotices(places) {
  const notices = places.map(noticeOf)
  const packages = new Map(notices.map((notice) => [notice.key, notice]))
  const byText = new Map()
  for (const key of [...packages.keys()].sort()) {
    const { title, text } = packages.get(key)
    byText.set(text, [...(byText.get(text) ?? []), title])
  }
  const parts = [...byText].map(([text, titles]) => [line, ...titles, '', text].join('\n'))
  writeFileSync('THIRD-PARTY-NOTICES', `${[introduction, ...parts].join('\n\n')}\n`)
  return notices.flatMap(({ files }) => files)
}

const line = '-'.repeat(80)

function noticeOf(place) {
  const manifest = join(place, 'package.json')
  const { name, version, license, author } = JSON.parse(readFileSync(manifest, 'utf8'))
  const files = readdirSync(place)
    .filter((file) => licenceFile.test(file))
    .sort()
    .map((file) => join(place, file))
  if (files.length === 0 && license === undefined) throw new Error(`${place} has no licence.`)
  const texts = files.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim())
  const holder = typeof author === 'string' ? author : author?.name
  const text = texts.length > 0 ? texts.join('\n\n') : `Copyright: ${holder ?? 'its authors'}`
  const key = `${name} ${version}`
  return { key, title: `${key} (${license})`, text, files: [manifest, ...files] }
}
