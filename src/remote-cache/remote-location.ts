// Reads the URL and the credentials of a remote cache from environment variables.
import { UseError } from '../config/use-error.ts'
import {
  readCredentials,
  readLocation,
  type S3Credentials,
  type S3Location,
} from '../publish/s3-location.ts'

/** A remote cache in a bucket; credentials are null when unset. */
export interface S3Remote {
  readonly kind: 's3'
  readonly location: S3Location
  readonly reader: S3Credentials | null
  readonly writer: S3Credentials | null
}

/** A remote cache behind HTTP; tokens are null when unset. */
export interface HttpRemote {
  readonly kind: 'http'
  /** Ends in `/`. */
  readonly url: URL
  readonly reader: string | null
  readonly writer: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Parses `QUARRY_CACHE_REMOTE`. Readers and writers never share a variable: a job that may only read must not hold a
 * credential that writes.
 *
 * @throws UseError for an invalid URL; messages contain no credentials
 */
export function readRemote(environment: Environment): S3Remote | HttpRemote {
  const text = environment['QUARRY_CACHE_REMOTE'] ?? ''
  if (text.startsWith('s3:')) return s3Remote(text, environment)
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === ''
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UseError(
      'QUARRY_CACHE_REMOTE is no address of a cache. Expected s3://bucket/prefix or https://host/path, without a password.',
    )
  }
  url.pathname = url.pathname.replace(/\/*$/, '/')
  return {
    kind: 'http',
    url,
    reader: environment['QUARRY_CACHE_REMOTE_TOKEN'] || null,
    writer: environment['QUARRY_CACHE_REMOTE_WRITE_TOKEN'] || null,
  }
}

function s3Remote(text: string, environment: Environment): S3Remote {
  const location = readLocation(text, {}, environment)
  const isReader = environment['AWS_ACCESS_KEY_ID'] && environment['AWS_SECRET_ACCESS_KEY']
  const accessKeyId = environment['QUARRY_CACHE_REMOTE_WRITE_KEY_ID']
  const secretAccessKey = environment['QUARRY_CACHE_REMOTE_WRITE_SECRET']
  const sessionToken = environment['QUARRY_CACHE_REMOTE_WRITE_SESSION_TOKEN']
  const writer =
    accessKeyId && secretAccessKey
      ? { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
      : null
  return { kind: 's3', location, reader: isReader ? readCredentials(environment) : writer, writer }
}
