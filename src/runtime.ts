// The public API for custom hosts: responds to requests from a built bundle. Runs without Node, wherever there are
// `Request` and `Response`.
export { type BundleOptions, type OpenBundle, openBundle } from './runtime/bundle.ts'
export { createHandler, type Handler, type HandlerOptions } from './runtime/handler.ts'

export type { Storage } from './runtime/storage.ts'
