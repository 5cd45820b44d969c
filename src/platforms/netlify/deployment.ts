// What Netlify is given: a function for every path, with its files, and an empty folder to publish.
// Knows nothing of what the files hold.
import type { HostDeployment } from '../deployment.ts'

/**
 * Nothing is published but through the function: rules for files match a subset of the query, so that
 * `?order=asc` would get the list of `?order=desc`.
 */
export const netlifyDeployment: HostDeployment = {
  folder: 'deploy/netlify',
  program: 'functions/quarry/handler.mjs',
  data: { form: 'whole', folder: 'functions/quarry/function' },
  texts: {
    'netlify.toml': [
      '[build]',
      'publish = "public"',
      '[functions]',
      'directory = "functions"',
      'node_bundler = "nft"',
      'included_files = ["functions/quarry/function/**"]',
      '',
    ].join('\n'),
    'public/.keep': '',
    'functions/quarry/quarry.mjs': [
      "export { default } from './handler.mjs'",
      "export const config = { path: '/*' }",
      '',
    ].join('\n'),
  },
  next: 'cd deploy/netlify && npx netlify deploy --prod',
}
