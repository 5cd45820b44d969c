// How a suite asks a host: every answer is held against the interface's own description on its way.
// Knows nothing of the host but how to send it a request.

import { expect } from 'vitest'
import { documentTable, feedKinds } from '../../src/api/documents.ts'
import type { FixtureKey, SiteDescription } from './fixture.ts'
import { openContract } from './schema-check.ts'

/** The part of a `Response` that is looked at. */
export interface ResponseLike {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** A request beyond its path. */
export interface RequestOptions {
  /** @default 'GET' */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Aborted when the client leaves. */
  readonly signal?: AbortSignal
}

/** A host with the fixture's content; its rate limit is off, and it follows no redirect. */
export interface HostUnderTest {
  readonly request: (path: string, options?: RequestOptions) => Promise<ResponseLike>
  readonly site: SiteDescription
  /** The output folder of the build. */
  readonly out: string
  /** Absent where the function's files are those of another host's test. */
  readonly files?: FunctionFiles
  readonly close?: () => Promise<void> | void
}

/** What a function reads, as its host has it. */
export interface FunctionFiles {
  /** Files in folders beside the function's own are no concern of it. */
  readonly folder: string
  /** Starts the function again, so that it knows no byte of its files. Rejects where it does not start. */
  restart(): Promise<void>
}

/** An answer that was read. */
export interface ApiResponse {
  readonly status: number
  readonly text: string
  /** Parsed; undefined where there is no body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
  header(name: string): string | null
}

/** Asks a host. */
export interface Asking {
  readonly site: SiteDescription
  /** For what is no JSON; nothing is checked. */
  readonly request: HostUnderTest['request']
  /** As it stands, without a key. */
  ask(path: string, options?: RequestOptions): Promise<ApiResponse>
  /** `/posts?…` of `acme`, in v1. */
  v1(path: string, options?: RequestOptions): Promise<ApiResponse>
  /** `/posts?…` in v2, with a key. */
  v2(path: string, key?: FixtureKey, options?: RequestOptions): Promise<ApiResponse>
  /** The OpenAPI document that the host serves. */
  readonly document: OpenApiDocument
}

/** The part of an OpenAPI document that is looked at. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, { readonly get: OpenApiOperation }>>
  readonly components: object
}

export interface OpenApiOperation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json': { schema: object } } }>
  >
}

/** Opens a way to ask; every answer is checked for what holds for all of them. */
export async function openAsking({ request, site }: HostUnderTest): Promise<Asking> {
  const served = await request('/openapi.json')
  const document = JSON.parse(await served.text()) as OpenApiDocument
  const contract = openContract(document)
  const ask = async (path: string, options: RequestOptions = {}): Promise<ApiResponse> => {
    const reply = await readResponse(await request(path, options))
    checkEvery(path, options, reply)
    contract.check(path, reply)
    return reply
  }
  return {
    site,
    request,
    document,
    ask,
    v1: (path, options) => ask(`/v1/acme${path}`, options),
    v2: (path, key = 'full', options = {}) =>
      ask(`/v2${path}`, {
        ...options,
        headers: { authorization: `Bearer ${site.keys[key]}`, ...options.headers },
      }),
  }
}

/** Reads a response whole. */
export async function readResponse(response: ResponseLike): Promise<ApiResponse> {
  const text = await response.text()
  // Some documents are no JSON.
  const isText = /xml|text\/plain/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    text,
    body: isText || text === '' ? undefined : JSON.parse(text),
    header: (name) => response.headers.get(name),
  }
}

/** What holds for every answer, whatever was asked. */
function checkEvery(path: string, { method }: RequestOptions, reply: ApiResponse): void {
  const { status, text, body } = reply
  const about = `${method ?? 'GET'} ${path}: ${status}`
  expect(reply.header('access-control-allow-origin'), about).toBe('*')
  // A file that a host serves by itself has the host's own id.
  const ids = ['x-request-id', 'x-vercel-id', 'x-amz-cf-id'].map((name) => reply.header(name))
  expect(
    ids.find((id) => id !== null),
    about,
  ).toMatch(/^[\w:-]{8,}$/)
  if ([204, 304, 308].includes(status) || method === 'HEAD') {
    expect(text, about).toBe('')
    return
  }
  const document = feedKinds.find(
    (kind) => status === 200 && path.split('?')[0]?.endsWith(`/${kind}`),
  )
  const type = document === undefined ? 'application/json' : documentTable[document].contentType
  expect(reply.header('content-type'), about).toBe(type)
  if (type.includes('json')) expect(JSON.stringify(body), about).toBe(text)
  if (status >= 400) expect(reply.header('cache-control'), about).toBe('no-store')
}
