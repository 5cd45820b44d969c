// The deployment to Netlify: a function for every path, with its files, and a folder to publish with images alone.
import { responsesFolder } from '../../runtime/response-file.ts'
import type { HostDeployment } from '../deployment.ts'
import { imageHeaders } from '../media-reply.ts'

/**
 * Nothing but images is published other than through the function: rules for files match a subset of the query,
 * so that `?order=asc` would get the list of `?order=desc`. Whatever is no file (`preferStatic`) is the function's.
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
