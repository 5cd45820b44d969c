// The deployment to Bun: a module that Bun serves, and the function's files next to it.
import { type HostDeployment, jsonText } from '../deployment.ts'

/** Bun serves the default export of a module. */
export const bunDeployment: HostDeployment = {
  folder: 'deploy/bun',
  program: 'main.js',
  data: { form: 'whole', folder: 'function' },
  media: 'media',
  responses: null,
  texts: { 'package.json': jsonText({ type: 'module', scripts: { start: 'bun run main.js' } }) },
  next: 'cd deploy/bun && bun run start',
}
