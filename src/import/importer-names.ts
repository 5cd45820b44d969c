// The names of all importers, for help: nothing of an importer is loaded with them.

/** In the order in which they are printed. */
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
