// The generators by name.
import type { GeneratorName } from '../command.ts'
import { eleventy } from './eleventy.ts'
import type { SiteGenerator } from './generator.ts'
import { hugo } from './hugo.ts'
import { jekyll } from './jekyll.ts'
import { astro, docusaurus, hexo, mkdocs, next, nikola, pelican, vitepress } from './tools.ts'

/** Zola has the layout of Hugo, Gatsby no layout of its own. */
export const generators: Readonly<Record<GeneratorName, SiteGenerator>> = {
  ...{ jekyll, hugo, zola: hugo, eleventy, astro, next, gatsby: next, docusaurus },
  ...{ vitepress, hexo, pelican, nikola, mkdocs },
}
