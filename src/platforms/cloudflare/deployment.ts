// The deployment to Cloudflare Workers: a worker, with the function's files and images as assets that only it
// reaches.
import { responsesFolder } from '../../runtime/response-file.ts'
import { type HostDeployment, jsonText } from '../deployment.ts'

const wrangler = {
  name: 'quarry',
  main: 'worker.js',
  no_bundle: true,
  // Modules next to the worker, imported on demand.
  find_additional_modules: true,
  rules: [{ type: 'ESModule', globs: ['*.mjs'] }],
  compatibility_date: '2026-04-01',
  assets: {
    directory: 'assets',
    binding: 'ASSETS',
    run_worker_first: true,
    html_handling: 'none',
    not_found_handling: 'none',
  },
}

/**
 * Assets are served whole, so files are cut into parts: a post costs one part instead of a whole block. Every request
 * goes to the worker first. The host itself would serve `GET /v2/…` from a file without checking a key, and any path
 * without its query.
 */
export const cloudflareDeployment: HostDeployment = {
  folder: 'deploy/cloudflare',
  program: 'worker.js',
  data: { form: 'parts', folder: 'assets', partBytes: 1024 * 1024 },
  media: 'assets/media',
  responses: null,
  stored: `assets/${responsesFolder}`,
  texts: {
    'wrangler.jsonc': jsonText(wrangler),
  },
  next: 'npx wrangler deploy --config deploy/cloudflare/wrangler.jsonc --name NAME',
}
