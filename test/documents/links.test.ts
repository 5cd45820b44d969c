// Links between documents: files and headings that are there, and a README that leads to all of them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
]

describe('documents', () => {
  it('link to what is there', () => {
    const anchors = new Map(documents.map((path) => [path, anchorsOf(path)]))
    const broken = documents.flatMap((path) =>
      linksOf(path)
        .filter(({ file, anchor }) => {
          if (!existsSync(join(root, file))) return true
          return anchor !== undefined && !(anchors.get(file) ?? anchorsOf(file)).includes(anchor)
        })
        .map(({ file, anchor }) => `${path} → ${file}#${anchor}`),
    )
    expect(broken).toEqual([])
  })

  it('are all reached from the README', () => {
    const reached = new Set(['README.md'])
    // A set grows while it is gone through.
    for (const path of reached) {
      if (!path.endsWith('.md')) continue
      for (const { file } of linksOf(path)) reached.add(file)
    }
    expect(documents.filter((path) => !reached.has(path))).toEqual([])
  })
})

function linksOf(
  path: string,
): readonly { readonly file: string; readonly anchor: string | undefined }[] {
  return [...prose(path).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?:|\.\/a)/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#')
      const from = join(root, file === '' ? path : dirname(path))
      return { file: relative(root, resolve(from, file === '' ? '.' : file)), anchor }
    })
}

/** As GitHub names them. */
function anchorsOf(path: string): readonly string[] {
  return [...prose(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** A document without its blocks of code and its code in lines. */
function prose(path: string): string {
  return readFileSync(join(root, path), 'utf8')
    .replace(/^( *)```[\s\S]*?^\1```$/gm, '')
    .replace(/`[^`\n]*`/g, (code) => (code.includes('](') ? '' : code.slice(1, -1)))
}
