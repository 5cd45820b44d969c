// Reads the configuration of a Hugo site, from one file or a folder of files.
import { posix } from 'node:path'
import { readDocument } from 'quarry/authoring'
import { isMap, plainValue, type Values } from './front.ts'
import { readMap } from './liquid-data.ts'
import type { SourceTree } from './source-tree.ts'

/** All settings; those of `config/_default/NAME.toml` are nested under their name. */
export function readHugoConfig(tree: SourceTree): Values {
  const single = tree.files.find((path) => /^(?:hugo|config)\.(?:toml|ya?ml|json)$/.test(path))
  const main = single === undefined ? {} : readSettings(tree, single)
  const parts = tree.below('config/_default').map((path) => {
    const name = posix.basename(path).replace(/\.\w+$/, '')
    const values = readSettings(tree, path)
    return /^(?:hugo|config)$/.test(name) ? values : { [name]: values }
  })
  return Object.assign({}, main, ...parts)
}

function readSettings(tree: SourceTree, path: string): Values {
  if (!path.endsWith('.toml')) return readMap(tree, path)
  const text = tree.text(path)
  if (text === undefined) return {}
  // Reuses the reader of TOML front matter: a TOML file is a document without a body.
  const { value } = readDocument(path, `+++\n${text}\n+++\n`)
  const map = value === undefined ? {} : plainValue(value.frontMatter)
  return isMap(map) ? map : {}
}
