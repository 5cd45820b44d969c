// The public API for custom hosts: responds to requests from a build. Runs without Node, wherever there are
// `Request` and `Response`.
export { createHandler, type Handler, type HandlerOptions } from './runtime/handler.ts'
export { openBuild } from './runtime/open-build.ts'

export type { Storage } from './snapshot/storage.ts'
