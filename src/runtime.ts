// The function's face: what a host of one's own imports to answer requests from a built bundle.
// Needs no Node: it runs wherever there are `Request` and `Response`.
export { type BundleOptions, type OpenBundle, openBundle } from './runtime/bundle.ts'
export { createHandler, type Handler, type HandlerOptions } from './runtime/handler.ts'

export type { Storage } from './runtime/storage.ts'
