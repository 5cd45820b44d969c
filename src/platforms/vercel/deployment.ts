// What Vercel is given: its Build Output, version 3, with one function, and images as the only static files.
// Knows nothing of what the files hold.
import { imagePathPattern } from '../../api/media.ts'
import { type HostDeployment, jsonText } from '../deployment.ts'
import { imageHeaders } from '../media-reply.ts'

/**
 * Where a request goes, first match first. Vercel looks for a file without the query, so only what has the name of
 * an image, and only to be read, is looked for among the files; what is not found there is the function's too. The
 * headers are those of files that were found (`hit`), never of an error.
 */
const routes: readonly object[] = [
  { src: '/.*', methods: ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'], dest: '/index' },
  { src: `/(?!${imagePathPattern.slice(1)}$).*`, dest: '/index' },
  { handle: 'filesystem' },
  { src: '/.*', dest: '/index' },
  { handle: 'hit' },
  { src: imagePathPattern, headers: Object.fromEntries(imageHeaders), continue: true },
]

/** One function answers everything but images. */
export const vercelDeployment: HostDeployment = {
  folder: '.vercel/output',
  program: 'functions/index.func/index.js',
  data: { form: 'whole', folder: 'functions/index.func/function' },
  media: 'static/media',
  responses: null,
  texts: {
    'config.json': jsonText({ version: 3, routes }),
    'functions/index.func/package.json': jsonText({ type: 'module' }),
    'functions/index.func/.vc-config.json': jsonText({
      runtime: 'nodejs22.x',
      handler: 'index.js',
      launcherType: 'Nodejs',
      shouldAddHelpers: false,
      supportsResponseStreaming: true,
    }),
  },
  next: 'npx vercel deploy --prebuilt',
}
