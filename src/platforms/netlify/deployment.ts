// The deployment to Netlify: a function for every path, with its files, and a published folder of images only.
import { responsesFolder } from '../../runtime/response-file.ts'
import type { HostDeployment } from '../deployment.ts'
import { imageHeaders } from '../media-reply.ts'

/**
 * Only images are published outside the function. Netlify's rules for files match a subset of the query, so
 * `?order=asc` would get the list of `?order=desc`. The function handles every path without a file (`preferStatic`).
 */
export const netlifyDeployment: HostDeployment = {
  folder: 'deploy/netlify',
  program: 'functions/quarry/handler.mjs',
  data: { form: 'whole', folder: 'functions/quarry/function' },
  media: 'public/media',
  responses: null,
  stored: `functions/quarry/function/${responsesFolder}`,
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
    'public/_headers': [
      '/media/*',
      ...imageHeaders.map(([name, value]) => `  ${name}: ${value}`),
      '',
    ].join('\n'),
    'functions/quarry/quarry.mjs': [
      "export { default } from './handler.mjs'",
      "export const config = { path: '/*', preferStatic: true }",
      '',
    ].join('\n'),
  },
  next: 'cd deploy/netlify && npx netlify deploy --prod',
}
