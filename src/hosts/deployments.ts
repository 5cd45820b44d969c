// All deployments, by host name. Those of hosts with a function are here.

import type { HostName } from '../config/host-names.ts'
import { responsesFolder } from '../runtime/response-file.ts'
import { type HostDeployment, jsonText } from './deployment.ts'
import { imageHeaders } from './media-reply.ts'
import { partBytesDefault } from './parted-storage.ts'
import { staticDeployment } from './static-files.ts'
import { vercelRoutes } from './vercel-routes.ts'

/** The handler is `index.handler`, or `index.streaming` for a function URL with streaming. */
const lambdaDeployment: HostDeployment = {
  folder: 'deploy/aws-lambda',
  program: 'index.js',
  data: { form: 'whole', folder: 'function' },
  // Images stay out of the zip: its size is limited, and a buffered handler returns at most 4 MB of an image.
  media: null,
  responses: null,
  stored: `function/${responsesFolder}`,
  texts: { 'package.json': jsonText({ type: 'module' }) },
  next: 'cd deploy/aws-lambda && zip -qr ../aws-lambda.zip . && aws lambda update-function-code --function-name NAME --zip-file fileb://../aws-lambda.zip',
}

/** Bun serves the default export of a module. */
const bunDeployment: HostDeployment = {
  folder: 'deploy/bun',
  program: 'main.js',
  data: { form: 'whole', folder: 'function' },
  media: 'media',
  responses: null,
  texts: { 'package.json': jsonText({ type: 'module', scripts: { start: 'bun run main.js' } }) },
  next: 'cd deploy/bun && bun run start',
}

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
const cloudflareDeployment: HostDeployment = {
  folder: 'deploy/cloudflare',
  program: 'worker.js',
  data: { form: 'parts', folder: 'assets', partBytes: partBytesDefault },
  media: 'assets/media',
  responses: null,
  stored: `assets/${responsesFolder}`,
  texts: {
    'wrangler.jsonc': jsonText(wrangler),
  },
  next: 'npx wrangler deploy --config deploy/cloudflare/wrangler.jsonc --name NAME',
}

/** `deno task start` permits only the module's own files, its variables and the network. */
const denoDeployment: HostDeployment = {
  folder: 'deploy/deno',
  program: 'main.js',
  data: { form: 'whole', folder: 'function' },
  media: 'media',
  responses: null,
  texts: {
    'deno.json': jsonText({
      tasks: {
        start:
          'deno serve --allow-read=. --allow-env=QUARRY_KEYS,QUARRY_RATE_LIMIT,QUARRY_MCP main.js',
      },
      deploy: { entrypoint: 'main.js' },
    }),
  },
  next: 'cd deploy/deno && deno deploy --prod',
}

/**
 * Only images are published outside the function. Netlify's rules for files match a subset of the query, so
 * `?order=asc` would get the list of `?order=desc`. The function handles every path without a file (`preferStatic`).
 */
const netlifyDeployment: HostDeployment = {
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

/** One function serves everything except images and canonical v1 requests. */
const vercelDeployment: HostDeployment = {
  folder: '.vercel/output',
  program: 'functions/index.func/index.js',
  data: { form: 'whole', folder: 'functions/index.func/function' },
  media: 'static/media',
  responses: 'static',
  texts: {
    'functions/index.func/package.json': jsonText({ type: 'module' }),
    'functions/index.func/.vc-config.json': jsonText({
      runtime: 'nodejs22.x',
      handler: 'index.js',
      launcherType: 'Nodejs',
      shouldAddHelpers: false,
      supportsResponseStreaming: true,
    }),
  },
  textsOf: (manifest) => ({
    'config.json': jsonText({ version: 3, routes: vercelRoutes(manifest) }),
  }),
  next: 'npx vercel deploy --prebuilt --archive=tgz',
}

export const deployments: Readonly<Record<HostName, HostDeployment>> = {
  cloudflare: cloudflareDeployment,
  netlify: netlifyDeployment,
  vercel: vercelDeployment,
  'aws-lambda': lambdaDeployment,
  deno: denoDeployment,
  bun: bunDeployment,
  static: staticDeployment,
}
