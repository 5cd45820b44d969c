// A client for quarry's content API. Needs only `fetch`.
export { type Client, type ClientOptions, createClient } from './client.ts'
export {
  ContentError,
  type Failure,
  type FieldError,
  type PageError,
  type Result,
  unwrap,
} from './failure.ts'
export { plainText } from './plain-text.ts'
export type { RequestOptions } from './transport.ts'
export type * from './types.ts'
