// A host of functions as an HTTP server: `node host.mjs HOST PROJECT` serves the deployment that a build wrote below
// PROJECT, and prints its port. Each host gets what its platform gives it: an event, a `Request`, or Node's own pair.
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'

const [host, project] = process.argv.slice(2)
const client = '192.0.2.7'
const load = (path) => import(pathToFileURL(join(project, path)).href)

// Lambda's own global; modules look for it when they are loaded.
globalThis.awslambda = {
  streamifyResponse: (handler) => handler,
  HttpResponseStream: { from: (stream, head) => Object.assign(stream, { head }) },
}

const hosts = {
  'aws-lambda': async () => {
    const { handler } = await load('deploy/aws-lambda/index.js')
    return async (incoming, outgoing) => {
      const { statusCode, headers, body, isBase64Encoded } = await handler(await eventOf(incoming))
      const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
      send(outgoing, statusCode, Object.entries(headers), bytes)
    }
  },
  'aws-lambda-streamed': async () => {
    const { streaming } = await load('deploy/aws-lambda/index.js')
    return async (incoming, outgoing) => {
      const stream = new PassThrough()
      const body = Array.fromAsync?.(stream) ?? collect(stream)
      await streaming(await eventOf(incoming), stream, { getRemainingTimeInMillis: () => 10_000 })
      const { statusCode, headers = {}, multiValueHeaders = {} } = stream.head
      const several = Object.entries(multiValueHeaders).flatMap(([name, values]) =>
        values.map((value) => [name, value]),
      )
      send(
        outgoing,
        statusCode,
        [...Object.entries(headers), ...several],
        Buffer.concat(await body),
      )
    }
  },
  // What is published comes before the function, which prefers it (`preferStatic`).
  netlify: async () => {
    const { default: handler } = await load('deploy/netlify/functions/quarry/quarry.mjs')
    return async (incoming, outgoing) => {
      const file = fileBelow(join(project, 'deploy/netlify/public'), pathOf(incoming))
      if (file !== null) return sendFile(outgoing, file)
      await sendResponse(outgoing, await handler(await requestOf(incoming), { ip: client }))
    }
  },
  cloudflare: async () => {
    const { default: worker } = await load('deploy/cloudflare/worker.js')
    const ASSETS = {
      fetch: async (url) => {
        const file = fileBelow(join(project, 'deploy/cloudflare/assets'), new URL(url).pathname)
        return file === null
          ? new Response(null, { status: 404 })
          : new Response(readFileSync(file), {
              headers: { 'content-length': String(lstatSync(file).size) },
            })
      },
    }
    const environment = {
      ASSETS,
      QUARRY_RATE_LIMIT: process.env.QUARRY_RATE_LIMIT,
      QUARRY_MCP: 'on',
    }
    return async (incoming, outgoing) => {
      const request = await requestOf(incoming, { 'cf-connecting-ip': client })
      await sendResponse(outgoing, await worker.fetch(request, environment, { waitUntil() {} }))
    }
  },
  vercel: async () => {
    const output = join(project, '.vercel/output')
    const { routes } = JSON.parse(readFileSync(join(output, 'config.json'), 'utf8'))
    const { default: listener } = await load('.vercel/output/functions/index.func/index.js')
    return (incoming, outgoing) => {
      const file = routeVercel(routes, join(output, 'static'), incoming)
      if (file !== null) return sendFile(outgoing, file.path, file.headers)
      incoming.headers['x-real-ip'] = client
      return listener(incoming, outgoing)
    }
  },
}

const answer = await hosts[host]()
const server = createServer({ maxHeaderSize: 32_768 }, async (incoming, outgoing) => {
  outgoing.sendDate = false
  try {
    await answer(incoming, outgoing)
  } catch (error) {
    outgoing.writeHead(599).end(String(error?.stack))
  }
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))

function pathOf({ url }) {
  return url.replace(/\?.*/s, '')
}

async function collect(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

async function requestOf(incoming, added = {}) {
  const { method, headers, url } = incoming
  const body = Buffer.concat(await collect(incoming))
  const given = Object.entries({ ...headers, ...added }).filter(([name]) => name !== 'connection')
  return new Request(`https://host.example${url}`, {
    method,
    headers: given,
    ...(body.length === 0 ? {} : { body }),
  })
}

/** An event of a function URL, payload format 2.0. */
async function eventOf(incoming) {
  const { method, headers, url } = incoming
  const body = Buffer.concat(await collect(incoming))
  const [, rawPath, rawQueryString = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(url)
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers: { ...headers, 'x-forwarded-for': client, 'x-forwarded-proto': 'https' },
    requestContext: {
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: client },
      domainName: 'a1b2c3.lambda-url.eu-central-1.on.aws',
      requestId: 'request',
      stage: '$default',
    },
    ...(body.length === 0 ? {} : { body: body.toString('utf8') }),
    isBase64Encoded: false,
  }
}

function send(outgoing, status, headers, bytes) {
  for (const [name, value] of headers) outgoing.appendHeader(name, value)
  outgoing.writeHead(status).end(bytes)
}

async function sendResponse(outgoing, response) {
  send(outgoing, response.status, response.headers, Buffer.from(await response.arrayBuffer()))
}

/** A file that the host itself serves; `x-served-by` tells it from a response of the function. */
function sendFile(outgoing, path, headers = {}) {
  const bytes = readFileSync(path)
  send(outgoing, 200, Object.entries({ 'x-served-by': 'the host', ...headers }), bytes)
}

/** Null for folders, for what is not there, and for what is outside. */
function fileBelow(folder, path) {
  try {
    const names = path.slice(1).split('/').map(decodeURIComponent)
    if (names.some((name) => name === '..' || /[/\\\0]/.test(name))) return null
    const file = join(folder, ...names)
    return existsSync(file) && lstatSync(file).isFile() ? file : null
  } catch {
    return null
  }
}

/** The file to which the routes of a Build Output, version 3, lead; null for the function. */
function routeVercel(routes, folder, { method, url }) {
  const [raw, search = ''] = url.split(/\?(.*)/s)
  const query = new URLSearchParams(search)
  const phase = (name) => {
    const start = name === '' ? 0 : routes.findIndex(({ handle }) => handle === name) + 1
    const end = routes.findIndex(({ handle }, at) => at >= start && handle !== undefined)
    return start === 0 && name !== '' ? [] : routes.slice(start, end < 0 ? undefined : end)
  }
  let path = raw
  const walk = (name) => {
    for (const route of phase(name)) {
      const match = matchVercel(route, method, path, query)
      if (match === null) continue
      path = (route.dest ?? path).replace(/\$([1-9a-zA-Z]+)/g, (_, name) => match[name] ?? '')
      if (route.check !== true) return null
      const file = fileBelow(folder, path)
      if (file !== null) return file
    }
  }
  const found = walk('')
  const file = found === undefined ? fileBelow(folder, path) : found
  if (file === null) return null
  const hits = phase('hit').filter((route) => matchVercel(route, method, path, query) !== null)
  return { path: file, headers: Object.assign({}, ...hits.map(({ headers }) => headers)) }
}

/** What a route captures by number and name; null where it is for other requests. */
function matchVercel({ src, methods, caseSensitive, has = [], missing = [] }, method, path, query) {
  if (methods?.includes(method) === false) return null
  const match = new RegExp(`^(?:${src})$`, caseSensitive === true ? '' : 'i').exec(path)
  if (match === null) return null
  const captures = Object.fromEntries(Object.entries(match))
  const meets = ({ key, value = '' }) => {
    const given = query.get(key) ?? ''
    return given === '' ? null : new RegExp(value).exec(given)
  }
  for (const condition of has) {
    const met = meets(condition)
    if (met === null) return null
    Object.assign(captures, met.groups)
  }
  return missing.some((condition) => meets(condition) !== null) ? null : captures
}
