import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { S3Client, type S3Options } from '../../src/publish/s3-client.ts'
import { readLocation } from '../../src/publish/s3-location.ts'

const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }

async function clientAt(endpoint: string, options: S3Options = {}): Promise<S3Client> {
  const location = readLocation('s3://site/blog', { endpoint }, {})
  return new S3Client(location, credentials, { attempts: 2, pauseMilliseconds: 1, ...options })
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  onTestFinished(() => server.closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const get = { method: 'GET', key: 'current.json' } as const

describe('a client of S3', () => {
  it.each([
    [403, 'SignatureDoesNotMatch', 'Check AWS_SECRET_ACCESS_KEY and AWS_REGION.'],
    [403, 'InvalidAccessKeyId', 'Check AWS_ACCESS_KEY_ID.'],
    [403, 'AccessDenied', 'Give these credentials the permission, and that to list the bucket.'],
    [404, 'NoSuchBucket', 'Create the bucket, or correct its name.'],
  ])('names the endpoint and the fix for %i %s', async (status, code, remedy) => {
    const endpoint = await serve((_, response) => {
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    })
    const client = await clientAt(endpoint)
    await expect(client.send(get)).rejects.toThrow(
      `GET s3://site/blog/current.json at ${endpoint} failed: status ${status} ${code}. ${remedy}`,
    )
    expect(client.requests).toBe(1)
  })

  it('takes a 404 for a missing object only from a store of S3', async () => {
    for (const body of ['<Error><Code>NoSuchKey</Code></Error>', '<Code>NotFound</Code>', '']) {
      const store = await serve((_, response) => void response.writeHead(404).end(body))
      // The object has fewer bytes than the error.
      expect((await (await clientAt(store)).send({ ...get, bytesMax: 5 })).status).toBe(404)
    }
    const other = await serve((_, response) => void response.writeHead(404).end('Not Found'))
    await expect((await clientAt(other)).send(get)).rejects.toThrow(
      'failed: a 404 without the code of S3. Check the endpoint: it may be no service of S3.',
    )
  })

  it('says at once that an endpoint cannot be reached in this way', async () => {
    const plain = await serve((_, response) => void response.end())
    const secure = await clientAt(plain.replace('http:', 'https:'))
    await expect(secure.send(get)).rejects.toThrow(
      'the service does not use TLS. Check the endpoint',
    )
    const reserved = await clientAt('http://127.0.0.1:1')
    await expect(reserved.send(get)).rejects.toThrow('the port is reserved for another protocol.')
    expect([secure.requests, reserved.requests]).toEqual([1, 1])
  })

  it('says that a silent store makes it wait', async () => {
    const messages: string[] = []
    const silent = await serve(() => {})
    const client = await clientAt(silent, {
      timeoutMilliseconds: 50,
      slowestBytes: 1e6,
      quietMilliseconds: 20,
      onRetry: (message) => messages.push(message),
    })
    await expect(client.send(get)).rejects.toThrow('failed: no complete response in time.')
    expect(messages).toEqual([
      `GET s3://site/blog/current.json at ${silent} failed: no complete response in time. Attempt 2 of 2 follows.`,
    ])
  })

  it('is quiet about a failure that passes soon', async () => {
    let requests = 0
    const endpoint = await serve((_, response) => {
      response.writeHead(requests++ === 0 ? 503 : 200).end()
    })
    const messages: string[] = []
    const client = await clientAt(endpoint, { onRetry: (message) => messages.push(message) })
    expect((await client.send(get)).status).toBe(200)
    expect([requests, messages]).toEqual([2, []])
  })
})
