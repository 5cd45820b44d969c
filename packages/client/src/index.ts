// A client for quarry's content API. Needs only `fetch`.
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { Collection, ItemCollection, PostCollection } from './collections.ts'
export { ContentError, type Failure, type Result, unwrap } from './failure.ts'
export { plainText } from './plain-text.ts'
export type {
  Facet,
  Facets,
  FieldConditions,
  ItemQuery,
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
export type {
  Author,
  Change,
  Changes,
  CollectionCount,
  CollectionTypes,
  CountedTerm,
  CustomFields,
  Derived,
  FieldError,
  FieldValue,
  Item,
  ItemSummary,
  Page,
  PageError,
  Pagination,
  Post,
  PostItem,
  Redirect,
  Singleton,
  SiteTypes,
  Social,
  Term,
} from './resources.ts'
export type { RequestOptions } from './transport.ts'
