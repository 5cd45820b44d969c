// A bucket of S3 for functions on Node.
import { UseError } from '../../config/use-error.ts'
import { S3Client, type S3Options, type S3Response } from '../s3-client.ts'
import { readCredentials, readLocation } from '../s3-location.ts'
import { type Bucket, type ObjectRange, partFault } from './bucket.ts'

/** Three attempts of at most 3 s, and the time of the bytes at 4 MB a second. */
const functionOptions: S3Options = {
  attempts: 3,
  pauseMilliseconds: 50,
  timeoutMilliseconds: 3000,
  slowestBytes: 4096,
}

/**
 * Opens the bucket that the environment names.
 *
 * @param environment `QUARRY_STORAGE_URL` is the URL of `quarry publish`; other variables are those of that command
 * @throws UseError when a variable is missing or malformed
 */
export function s3Bucket(
  environment: Readonly<Record<string, string | undefined>>,
  options: S3Options = functionOptions,
): Bucket {
  const url = environment['QUARRY_STORAGE_URL']
  if (!url) {
    throw new UseError(
      'Set QUARRY_STORAGE_URL to the URL that quarry publish was given, such as s3://my-bucket/site.',
    )
  }
  const location = readLocation(url, {}, environment)
  const client = new S3Client(location, readCredentials(environment), options)
  return {
    read: async (key, range, check) => {
      const response = await client.send({
        method: 'GET',
        key,
        range,
        bytesMax: range.length,
        check: (bytes, answered) => rangeFault(answered, range) ?? check?.(bytes) ?? null,
      })
      return response.status === 206 ? { bytes: response.body, size: sizeOf(response) } : null
    },
  }
}

function rangeFault(response: S3Response, range: ObjectRange): string | null {
  const { body: bytes, headers } = response
  const [, first, last] = contentRange.exec(headers.get('content-range') ?? '') ?? []
  const isSame = Number(first) === range.offset && Number(last) === range.offset + bytes.length - 1
  if (response.status !== 206 || !isSame) return 'the response is of another range'
  return partFault({ bytes, size: sizeOf(response) }, range)
}

const contentRange = /^bytes (\d+)-(\d+)\/(\d+)$/

function sizeOf({ headers }: S3Response): number {
  return Number(contentRange.exec(headers.get('content-range') ?? '')?.[3])
}
