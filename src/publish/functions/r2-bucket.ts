// A bucket of R2 as it is bound to a worker.
import { pause } from '../../runtime/pause.ts'
import { type Bucket, type ObjectPart, type ObjectRange, partFault } from './bucket.ts'

/** The part of a binding that is used. */
export interface R2Binding {
  get(
    key: string,
    options: { readonly range: ObjectRange },
  ): Promise<{ readonly size: number; arrayBuffer(): Promise<ArrayBuffer> } | null>
}

const attemptsMax = 3
const attemptMilliseconds = 5000

/** @param prefix as `quarry publish` was given it, without `s3://bucket/` */
export function r2Bucket(binding: R2Binding, prefix = ''): Bucket {
  const folder = prefix
    .split('/')
    .filter((name) => name !== '')
    .map((name) => `${name}/`)
    .join('')
  const readOnce = async (key: string, range: ObjectRange, check: Check | undefined) => {
    const object = await binding.get(key, { range })
    if (object === null) return null
    const part: ObjectPart = {
      bytes: new Uint8Array(await object.arrayBuffer()),
      size: object.size,
    }
    const fault = partFault(part, range) ?? check?.(part.bytes) ?? null
    if (fault !== null) throw new Error(fault)
    return part
  }
  return {
    read: async (name, range, check) => {
      const key = `${folder}${name}`
      for (let attempt = 1; ; attempt++) {
        try {
          return await inTime(readOnce(key, range, check))
        } catch (error) {
          if (attempt === attemptsMax) {
            throw new Error(`${key} of the bucket cannot be read: ${messageOf(error)}.`)
          }
          await pause(50 * 2 ** attempt)
        }
      }
    },
  }
}

type Check = Parameters<Bucket['read']>[2]

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it took too long')), attemptMilliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
