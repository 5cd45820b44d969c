// Loads a single importer by name.
import type { ImporterName } from './importer-names.ts'
import type { Importer } from './site.ts'
import type { SiteGenerator } from './static/generator.ts'

/** Loads an importer. */
export function loadImporter(name: ImporterName): Promise<Importer> {
  return loaders[name]()
}

const loaders: Readonly<Record<ImporterName, () => Promise<Importer>>> = {
  ghost: async () => (await import('./ghost/ghost.ts')).importGhost,
  marble: async () => (await import('./marble/marble.ts')).importMarble,
  wordpress: async () => (await import('./wordpress/wordpress.ts')).importWordpress,
  jekyll: async () => ofFiles((await import('./static/jekyll.ts')).jekyll),
  hugo: async () => ofFiles((await import('./static/hugo.ts')).hugo),
  astro: async () => ofFiles((await import('./static/folder-sites.ts')).astro),
  next: async () => ofFiles((await import('./static/folder-sites.ts')).next),
  eleventy: async () => ofFiles((await import('./static/folder-sites.ts')).eleventy),
  docusaurus: async () => ofFiles((await import('./static/docusaurus.ts')).docusaurus),
  vitepress: async () => ofFiles((await import('./static/folder-sites.ts')).vitepress),
}

async function ofFiles(generator: SiteGenerator): Promise<Importer> {
  const { staticImporter } = await import('./static/static-site.ts')
  return staticImporter(generator)
}
