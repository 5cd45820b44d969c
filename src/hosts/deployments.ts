// All deployments, by host name.

import { redirectsJson } from '../api/aliases.ts'
import { documentTable } from '../api/documents.ts'
import { ApiError, errorJson } from '../api/errors.ts'
import { imagePathPattern } from '../api/media.ts'
import { versionRoots } from '../api/paths.ts'
import type { Manifest } from '../emit/manifest.ts'
import { responsesFolder } from '../runtime/response-file.ts'
import { type HostDeployment, jsonText } from './deployment.ts'
import { imageHeaders } from './media-reply.ts'
import type { HostName } from './names.ts'
import { objectsOf } from './objects.ts'
import { responseHeaders, textDocuments } from './response-routes.ts'
import { staticOpenApi } from './static-openapi.ts'
import { vercelResponseRoutes } from './vercel-routes.ts'

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
  data: { form: 'parts', folder: 'assets', partBytes: 1024 * 1024 },
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

/** No charset, to match the function's type. Some documents have another type. */
const fileHeaders = { ...Object.fromEntries(responseHeaders), 'content-type': 'application/json' }

/**
 * Routes; the first match wins. Files are looked up only at the paths of canonical requests and images; requests
 * without a file go to the function. The headers apply to found files only (`hit`), never to errors.
 */
function routesOf(manifest: Manifest): readonly object[] {
  return [
    { src: '/.*', methods: ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'], dest: '/index' },
    ...vercelResponseRoutes(manifest),
    { src: `/(?!${imagePathPattern.slice(1)}$).*`, dest: '/index' },
    { handle: 'filesystem' },
    { src: '/.*', dest: '/index' },
    { handle: 'hit' },
    { src: imagePathPattern, headers: Object.fromEntries(imageHeaders), continue: true },
    { src: '/v1/.*', headers: fileHeaders, continue: true },
    ...textDocuments.map(({ file, contentType }) => ({
      src: `/v1/[^/]+/${file}`,
      headers: { 'content-type': contentType },
      continue: true,
    })),
  ]
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
    'config.json': jsonText({ version: 3, routes: routesOf(manifest) }),
  }),
  next: 'npx vercel deploy --prebuilt --archive=tgz',
}

const folder = 'public'

const data = { form: 'responses', folder } as const
const media = `${folder}/media`

/** The response for every path without a file, under the names that hosts look for. */
const notFound = errorJson('v1', new ApiError(404, 'There is no such file.'))

/** The other files of a bucket and their keys. */
const others: Readonly<Record<string, string>> = {
  [`${folder}/openapi.json`]: 'openapi.json',
  [`${folder}/status.json`]: 'status',
  [`${folder}/404.json`]: '404.json',
}

/** Files of redirects that a build omits, because no post has an alias: `v1/acme/redirects.json`. */
function missingRedirects({ workspaces, files }: Manifest): readonly string[] {
  const roots = new Set([...files.keys()].map((path) => path.split('/', 3).join('/')))
  return Object.keys(workspaces)
    .filter((id) => roots.has(`${versionRoots.v1}/${id}`))
    .filter((id) => !files.has(`${versionRoots.v1}/${id}/${documentTable.redirects.file}`))
    .map((id) => `v1/${id}/${documentTable.redirects.file}`)
}

/** For GitHub Pages, S3 and other file servers. */
const staticDeployment: HostDeployment = {
  folder: 'deploy/static',
  program: null,
  data,
  media,
  responses: null,
  texts: {
    // Without it, GitHub Pages omits names that begin with `_`.
    [`${folder}/.nojekyll`]: '',
    [`${folder}/404.html`]: notFound,
    [`${folder}/404.json`]: notFound,
  },
  textsOf: (manifest, aliases = []) => {
    const redirects = missingRedirects(manifest)
    const named = redirects.map((path) => [`${folder}/${path}`, path.replace(/\.json$/, '')])
    const texts = { ...others, ...Object.fromEntries(named) }
    const objects = objectsOf({ data, media }, manifest, { folder, aliases, texts })
    return {
      ...Object.fromEntries(redirects.map((path) => [`${folder}/${path}`, redirectsJson([], 0)])),
      [`${folder}/openapi.json`]: jsonText(staticOpenApi(manifest)),
      [`${folder}/status.json`]: jsonText({ status: 'ok', build: manifest.build }),
      'objects.json': `${JSON.stringify(objects, null, 1)}\n`,
    }
  },
  next: 'upload what is in deploy/static/public, dot-files too',
  cannot: [
    'filter or search: a query is ignored, and the lists that `precompute.lists` names have paths of their own',
    'check keys: v2 and closed workspaces are not there',
    'limit request rates',
    'show a scheduled post when it is due: build and upload again then',
    'set the cache times, ETags, statuses and CORS headers of the service: the host has its own',
  ],
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
