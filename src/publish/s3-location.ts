// Location of a bucket and credentials, from a URL, flags and the environment variables of AWS.
import { UseError } from '../config/use-error.ts'

/** A folder in a bucket. */
export interface S3Location {
  /** `s3://bucket/prefix`, for messages. */
  readonly name: string
  /** URL of the bucket, ending in `/`. */
  readonly bucketUrl: string
  /** Prefix of every object's name: empty, or ending in `/`. */
  readonly prefix: string
  readonly region: string
}

/** Credentials that sign requests. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** How a bucket is addressed. */
export interface S3Flags {
  /** URL of the service. @default `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, then AWS itself */
  readonly endpoint?: string
  /** Put the bucket into the host name. AWS itself is always addressed so. */
  readonly virtualHost?: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Parses a URL such as `s3://bucket/prefix`.
 *
 * @throws UseError for any other URL or endpoint
 */
export function readLocation(text: string, flags: S3Flags, environment: Environment): S3Location {
  const [, bucket = '', path = ''] =
    /^s3:\/\/([A-Za-z0-9][\w.-]{1,254})(?:\/(.*))?$/.exec(text) ?? []
  const segments = path.split('/').filter((segment) => segment !== '')
  if (bucket === '' || !segments.every((segment) => /^(?!\.\.?$)[\w.-]+$/.test(segment))) {
    throw new UseError(
      `${JSON.stringify(text)} is not the address of a bucket. Expected s3://bucket or s3://bucket/prefix, of letters, digits, "-", "_" and ".".`,
    )
  }
  const region = environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || 'us-east-1'
  return {
    name: `s3://${[bucket, ...segments].join('/')}`,
    bucketUrl: bucketUrl(bucket, region, flags, environment),
    prefix: segments.map((segment) => `${segment}/`).join(''),
    region,
  }
}

/**
 * Reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
 *
 * @throws UseError when one of the first two is missing
 */
export function readCredentials(environment: Environment): S3Credentials {
  const accessKeyId = environment['AWS_ACCESS_KEY_ID']
  const secretAccessKey = environment['AWS_SECRET_ACCESS_KEY']
  const sessionToken = environment['AWS_SESSION_TOKEN']
  if (!accessKeyId || !secretAccessKey) {
    throw new UseError('Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the keys of the bucket.')
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
}

function bucketUrl(
  bucket: string,
  region: string,
  { endpoint: flag, virtualHost }: S3Flags,
  environment: Environment,
): string {
  const given = flag || environment['AWS_ENDPOINT_URL_S3'] || environment['AWS_ENDPOINT_URL']
  const url = parseEndpoint(given || `https://s3.${region}.amazonaws.com`)
  // A wildcard certificate covers one label, so a bucket with a dot in its name is addressed by its path.
  const isHost = virtualHost ?? (!given && !bucket.includes('.'))
  if (isHost) url.hostname = `${bucket}.${url.hostname}`
  const path = url.pathname.replace(/\/*$/, '/')
  return `${url.origin}${path}${isHost ? '' : `${bucket}/`}`
}

function parseEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === ''
  if (isPlain && /^https?:$/.test(url.protocol)) return url
  throw new UseError(
    `The endpoint is ${JSON.stringify(text)}. Expected a URL such as https://s3.example.com.`,
  )
}
