// A worker that offers a bucket of Cloudflare R2 as a store of S3: the requests that quarry sends, and no others.
// Conditions, ranges and hashes are those of R2 itself. Miniflare runs it.

export default {
  async fetch(request, { BUCKET }) {
    const { pathname, searchParams } = new URL(request.url)
    const [, key = ''] = /^\/[^/]+\/?(.*)$/.exec(decodeURIComponent(pathname)) ?? []
    const date = { date: new Date().toUTCString() }
    if (key === '') {
      return request.method === 'GET'
        ? new Response(await listObjects(BUCKET, searchParams), { headers: date })
        : new Response(null, { status: 200, headers: date })
    }
    if (request.method === 'PUT') return putObject(BUCKET, key, request)
    if (request.method === 'DELETE') {
      await BUCKET.delete(key)
      return new Response(null, { status: 204, headers: date })
    }
    return getObject(BUCKET, key, request)
  },
}

async function putObject(bucket, key, request) {
  const sha256 = request.headers.get('x-amz-content-sha256')
  const created = await bucket.put(key, await request.arrayBuffer(), {
    onlyIf: request.headers,
    sha256,
  })
  // Null: the condition does not hold.
  if (created === null) return failure(412, 'PreconditionFailed')
  return new Response(null, { status: 200, headers: { etag: created.httpEtag } })
}

async function getObject(bucket, key, request) {
  const isPart = request.headers.has('range')
  const object = await bucket.get(key, isPart ? { range: request.headers } : {})
  if (object === null) return failure(404, 'NoSuchKey')
  const headers = {
    date: new Date().toUTCString(),
    'last-modified': object.uploaded.toUTCString(),
    // An encoding would change the length of the body.
    'cache-control': 'no-transform',
  }
  if (!isPart) return new Response(object.body, { headers })
  const { offset = 0, length = object.size - offset } = object.range
  headers['content-range'] = `bytes ${offset}-${offset + length - 1}/${object.size}`
  return new Response(object.body, { status: 206, headers })
}

function failure(status, code) {
  return new Response(`<Error><Code>${code}</Code></Error>`, { status })
}

async function listObjects(bucket, parameters) {
  const { objects, truncated } = await bucket.list({
    prefix: parameters.get('prefix') ?? '',
    ...(parameters.has('start-after') ? { startAfter: parameters.get('start-after') } : {}),
  })
  const entries = objects.map(
    ({ key, uploaded, size }) =>
      `<Contents><Key>${key}</Key><LastModified>${uploaded.toISOString()}</LastModified><Size>${size}</Size></Contents>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult><IsTruncated>${truncated}</IsTruncated>${entries.join('')}</ListBucketResult>`
}
