// The deployment to Deno: a module for `deno serve`, and the function's files next to it.
import { type HostDeployment, jsonText } from '../deployment.ts'

/** `deno task start` permits only the module's own files, its variables and the network. */
export const denoDeployment: HostDeployment = {
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
