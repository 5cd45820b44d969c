// The client's face: what a front-end application imports to read content. Needs `fetch`, and nothing else.
export { type Client, type ClientOptions, type Collection, createClient } from './client/client.ts'
export { ContentError, type Failure, type Result, unwrap } from './client/failure.ts'
export type {
  Author,
  CountedTerm,
  CustomFields,
  FieldValue,
  Page,
  Pagination,
  Post,
  PostItem,
  PostQuery,
  TermQuery,
} from './client/resources.ts'
export type { RequestOptions } from './client/transport.ts'
