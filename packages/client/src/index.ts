// A client for quarry's content API. Needs only `fetch`.
export { type Client, createClient } from './client.ts'
export type { Collection, PostCollection } from './collections.ts'
export { ContentError, type Failure, type Result, unwrap } from './failure.ts'
export { plainText } from './plain-text.ts'
export type {
  Facet,
  Facets,
  FieldConditions,
  Match,
  PostKey,
  PostOf,
  PostPage,
  PostQuery,
  PostStatus,
  SinglePostOf,
  SinglePostQuery,
  TermQuery,
  WithPosts,
} from './queries.ts'
export type { ClientOptions } from './read.ts'
export type {
  Author,
  Change,
  Changes,
  CountedTerm,
  CustomFields,
  Derived,
  FieldError,
  FieldValue,
  Page,
  PageError,
  Pagination,
  Post,
  PostItem,
  Redirect,
  SiteTypes,
  Social,
  Term,
} from './resources.ts'
export type { RequestOptions } from './transport.ts'
