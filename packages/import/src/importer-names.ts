// The names of all importers. Help needs them without loading any importer.

/** In display order. */
export const importerNames = [
  'jekyll',
  'hugo',
  'astro',
  'next',
  'eleventy',
  'docusaurus',
  'vitepress',
  'ghost',
  'wordpress',
  'marble',
] as const

/** The name of an importer. */
export type ImporterName = (typeof importerNames)[number]
