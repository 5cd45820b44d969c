// The deployment to Vercel: a Build Output (version 3) with one function, v1 files and images.
import { imagePathPattern } from '../../api/media.ts'
import type { Manifest } from '../../emit/manifest.ts'
import { type HostDeployment, jsonText } from '../deployment.ts'
import { imageHeaders } from '../media-reply.ts'
import { responseHeaders } from '../response-headers.ts'
import { textDocuments } from '../response-routes.ts'
import { vercelResponseRoutes } from './response-routes.ts'

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
export const vercelDeployment: HostDeployment = {
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
