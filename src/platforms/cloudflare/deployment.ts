// The deployment to Cloudflare Workers: a worker, and the function's files and images as assets that only it reaches.
import { responsesFolder } from '../../runtime/response-file.ts'
import { type HostDeployment, jsonText } from '../deployment.ts'

const wrangler = {
  name: 'quarry',
  main: 'worker.js',
  no_bundle: true,
  // The modules next to the worker, which it imports when it needs them.
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
 * Assets are handed out whole, so the files are cut: a post costs a part and not a block. Every request goes to
 * the worker first: by itself the host would answer `GET /v2/…` from a file, without a key, and any path without
 * its query.
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

/** The program and the images: it reads the build that `quarry publish` put into a bucket of R2. */
export const cloudflareBucketDeployment: HostDeployment = {
  folder: cloudflareDeployment.folder,
  program: 'worker.js',
  data: { form: 'bucket' },
  media: 'assets/media',
  responses: null,
  texts: {
    'wrangler.jsonc': jsonText({
      ...wrangler,
      r2_buckets: [{ binding: 'BUCKET', bucket_name: 'quarry' }],
    }),
    // The folder of assets has to be there, also where there are no images.
    'assets/.assetsignore': '',
  },
  next: cloudflareDeployment.next,
}
