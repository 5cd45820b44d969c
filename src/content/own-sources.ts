// Where the collections and singletons of a workspace are: read before the folder is listed.
import type { OwnSource, YamlEntry, YamlValue } from './raw.ts'

/** A source, and its workspace. */
export interface PlacedSource extends OwnSource {
  readonly workspace: string
}

/** Folders and files of a workspace that collections cannot use. */
const taken =
  /^(?:posts|authors|categories|tags|media)(?:\/|$)|^(?:workspace|keys|authors|categories|tags)\.yml$/

/** Reports whether a path can be that of a collection: below the workspace, and nothing that has another meaning. */
export function isOwnSource(path: string): boolean {
  const isPlain = path.split('/').every((name) => /^[^.\\\0][^\\\0]*$/.test(name))
  return isPlain && !taken.test(path)
}

/** Returns the sources in the settings of a workspace. What is not valid is left out, and reported with the settings. */
export function sourcesIn(settings: YamlValue): readonly OwnSource[] {
  const collections = entriesOf(settings, 'collections').flatMap(([name, { value }]) => {
    const [path] = ['folder', 'file'].flatMap((key) => textOf(value, key))
    return path === undefined ? [] : [{ of: 'items' as const, name, path }]
  })
  const singletons = entriesOf(settings, 'singletons').flatMap(([name, { value }]) =>
    value.kind === 'text' ? [{ of: 'singletons' as const, name, path: value.value }] : [],
  )
  return [...collections, ...singletons].filter(({ path }) => isOwnSource(path))
}

function entriesOf(map: YamlValue, key: string): readonly (readonly [string, YamlEntry])[] {
  const value = map.kind === 'map' ? map.entries.get(key)?.value : undefined
  return value?.kind === 'map' ? [...value.entries] : []
}

function textOf(map: YamlValue, key: string): readonly string[] {
  const value = map.kind === 'map' ? map.entries.get(key)?.value : undefined
  return value?.kind === 'text' ? [value.value] : []
}
