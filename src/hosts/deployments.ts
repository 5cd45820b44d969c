// All deployments, by host name. The one without a function is in `static.ts`.

import type { HostName } from '../config/host-names.ts'
import { type HostDeployment, jsonText } from './deployment.ts'
import { imageHeaders } from './media.ts'
import { staticDeployment } from './static.ts'
import { vercelRoutes } from './vercel-routes.ts'

/**
 * Every request goes to the worker first: the host itself would serve `GET /v2/…` from a file without checking a key,
 * and any path without its query.
 */
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

/** `deno task start` permits only the module's own files, its variables and the network. */
const denoJson = {
  tasks: {
    start: 'deno serve --allow-read=. --allow-env=QUARRY_KEYS,QUARRY_RATE_LIMIT,QUARRY_MCP main.js',
  },
  deploy: { entrypoint: 'main.js' },
}

const vercelFunction = {
  runtime: 'nodejs22.x',
  handler: 'index.js',
  launcherType: 'Nodejs',
  shouldAddHelpers: false,
  supportsResponseStreaming: true,
}

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`

export const deployments: Readonly<Record<HostName, HostDeployment>> = {
  cloudflare: {
    folder: 'deploy/cloudflare',
    program: 'worker.js',
    data: 'assets',
    media: 'assets/media',
    hasStored: true,
    texts: () => ({ 'wrangler.jsonc': jsonText(wrangler) }),
    next: 'npx wrangler deploy --config deploy/cloudflare/wrangler.jsonc --name NAME',
  },
  // Only images are published outside the function. Netlify's rules for files match a subset of the query, so
  // `?order=asc` would get the list of `?order=desc`. The function handles every path without a file (`preferStatic`).
  netlify: {
    folder: 'deploy/netlify',
    program: 'functions/quarry/handler.mjs',
    data: 'functions/quarry/function',
    media: 'public/media',
    hasStored: true,
    texts: () => ({
      'netlify.toml': lines(
        ...['[build]', 'publish = "public"', '[functions]', 'directory = "functions"'],
        ...['node_bundler = "nft"', 'included_files = ["functions/quarry/function/**"]'],
      ),
      'public/_headers': lines(
        '/media/*',
        ...imageHeaders.map(([name, value]) => `  ${name}: ${value}`),
      ),
      'functions/quarry/quarry.mjs': lines(
        "export { default } from './handler.mjs'",
        "export const config = { path: '/*', preferStatic: true }",
      ),
    }),
    next: 'cd deploy/netlify && npx netlify deploy --prod',
  },
  // One function serves everything except images and canonical v1 requests.
  vercel: {
    folder: '.vercel/output',
    program: 'functions/index.func/index.js',
    data: 'functions/index.func/function',
    media: 'static/media',
    responses: 'static',
    texts: (manifest) => ({
      'functions/index.func/package.json': jsonText({ type: 'module' }),
      'functions/index.func/.vc-config.json': jsonText(vercelFunction),
      'config.json': jsonText({ version: 3, routes: vercelRoutes(manifest) }),
    }),
    next: 'npx vercel deploy --prebuilt --archive=tgz',
  },
  // The handler is `index.handler`, or `index.streaming` for a function URL with streaming. Images stay out of the zip:
  // its size is limited, and a buffered handler returns at most 4 MB of an image.
  'aws-lambda': {
    folder: 'deploy/aws-lambda',
    program: 'index.js',
    data: 'function',
    media: null,
    hasStored: true,
    texts: () => ({ 'package.json': jsonText({ type: 'module' }) }),
    next: 'cd deploy/aws-lambda && zip -qr ../aws-lambda.zip . && aws lambda update-function-code --function-name NAME --zip-file fileb://../aws-lambda.zip',
  },
  deno: {
    folder: 'deploy/deno',
    program: 'main.js',
    data: 'function',
    media: 'media',
    texts: () => ({ 'deno.json': jsonText(denoJson) }),
    next: 'cd deploy/deno && deno deploy --prod',
  },
  bun: {
    folder: 'deploy/bun',
    program: 'main.js',
    data: 'function',
    media: 'media',
    texts: () => ({
      'package.json': jsonText({ type: 'module', scripts: { start: 'bun run main.js' } }),
    }),
    next: 'cd deploy/bun && bun run start',
  },
  static: staticDeployment,
}
