// Loads the importer of a name, and nothing of the others.
import type { ImporterName } from './importer-names.ts'
import type { Importer } from './site.ts'
import type { SiteGenerator } from './static/generator.ts'

/** The importer of a name. */
export function loadImporter(name: ImporterName): Promise<Importer> {
  return loaders[name]()
}

const loaders: Readonly<Record<ImporterName, () => Promise<Importer>>> = {
  jekyll: async () => ofFiles((await import('./static/jekyll.ts')).jekyll),
}

async function ofFiles(generator: SiteGenerator): Promise<Importer> {
  const { staticImporter } = await import('./static/static-site.ts')
  return staticImporter(generator)
}
