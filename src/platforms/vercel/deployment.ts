// The deployment to Vercel: its Build Output, version 3, with one function, and files of v1 and images before it.
import { imagePathPattern } from '../../api/media.ts'
import type { Manifest } from '../../emit/manifest.ts'
import { type HostDeployment, jsonText } from '../deployment.ts'
import { imageHeaders } from '../media-reply.ts'
import { responseHeaders } from '../response-headers.ts'
import { textDocuments } from '../response-routes.ts'
import { vercelResponseRoutes } from './response-routes.ts'

/** No charset: the type is the same as the function's. Some documents have another one. */
const fileHeaders = { ...Object.fromEntries(responseHeaders), 'content-type': 'application/json' }

/**
 * Where a request goes, first match first. A file is looked for only at the path that a route of a canonical request
 * names, and at the path of an image; a request that finds none is the function's. The headers are those of files that
 * were found (`hit`), never of an error.
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

/** One function answers everything but images and canonical requests of v1. */
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
