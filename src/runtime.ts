// The public API for custom hosts: responds to requests from a build. Runs without Node, wherever there are
// `Request` and `Response`.
export {
  createFunctionHandler,
  type FunctionEnvironment,
  type FunctionHandler,
  type FunctionHost,
} from './hosts/function.ts'
export type { Storage } from './snapshot/storage.ts'
