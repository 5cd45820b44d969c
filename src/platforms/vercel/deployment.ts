// What Vercel is given: its Build Output, version 3, with one function and nothing beside it.
// Knows nothing of what the files hold.
import { type HostDeployment, jsonText } from '../deployment.ts'

/**
 * Every path goes to the function, and there are no static files: Vercel would look among them before any rule
 * of ours, without their query.
 */
export const vercelDeployment: HostDeployment = {
  folder: '.vercel/output',
  program: 'functions/index.func/index.js',
  data: { form: 'whole', folder: 'functions/index.func/function' },
  texts: {
    'config.json': jsonText({ version: 3, routes: [{ src: '/.*', dest: '/index' }] }),
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
