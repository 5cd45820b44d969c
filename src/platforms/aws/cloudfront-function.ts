// The CloudFront Function that routes canonical requests and images to the bucket, as source for cloudfront-js-2.0.
import { imageTypes } from '../../api/media.ts'
import { resourceKinds } from '../../api/resources.ts'
import { reservedWorkspaces } from '../../api/routes.ts'
import type { Manifest } from '../../emit/manifest.ts'
import {
  documentsPattern,
  recognizedParameters,
  responseRoutes,
  routeKey,
  unfiledParameters,
} from '../response-routes.ts'
import { clientHeader, targetHeader } from './origin-headers.ts'

/** The origins of the distribution. */
export const origins = { files: 'files', function: 'function' } as const

/**
 * The key prefix in the bucket, and the folder of the objects. No cached behaviour lets a client reach a path below
 * it. A rewritten path therefore never shares a cache entry with a path that a client sent.
 */
export const filesFolder = 'files'

/**
 * The statuses at which CloudFront falls back from the bucket to the function: no file (403 without permission to
 * list), or no response from the bucket.
 */
const failover = [400, 403, 404, 416, 500, 502, 503, 504]

/**
 * Returns the source, at most 10 KB. Its size grows with the forms of requests, never with the site.
 *
 * A canonical request is rewritten to the path of its file, without a query, and to an origin group of bucket and
 * function. The function reads the original target from a header, because CloudFront sends the rewritten path to both
 * origins.
 */
export function cloudFrontFunction(manifest: Manifest): string {
  const files = Object.fromEntries(
    responseRoutes(manifest).map((route) => [routeKey(route), route.file]),
  )
  const parameters = recognizedParameters.map(
    ({ name, usual, word, number }) =>
      `  [${[name, usual, word].map((text) => JSON.stringify(text)).join(', ')}, ${number === null ? null : `/^(?:${number})$/`}]`,
  )
  const images = [...imageTypes.keys()].map((extension) => extension.slice(1)).join('|')
  return `import cf from 'cloudfront';

var files = ${JSON.stringify(files)};
var parameters = [
${parameters.join(',\n')}
];
var unfiled = ${JSON.stringify(unfiledParameters)};

function handler(event) {
  var request = event.request;
  var headers = request.headers;
  delete headers['${targetHeader}'];
  headers['${clientHeader}'] = { value: event.viewer.ip };
  if (request.method !== 'GET' && request.method !== 'HEAD') return request;
  if (headers['if-match'] || headers['if-unmodified-since'] || headers['range']) return request;
  var found = find(request.uri, request.rawQueryString() || '');
  if (found === null) return request;
  headers['${targetHeader}'] = { value: request.uri + found.query };
  Object.keys(headers).forEach(function (name) {
    if (name.indexOf('x-amz-') === 0) delete headers[name];
  });
  request.uri = found.uri;
  request.querystring = {};
  cf.createRequestOriginGroup({
    originIds: [{ originId: '${origins.files}' }, { originId: '${origins.function}' }],
    failoverCriteria: { statusCodes: ${JSON.stringify(failover)} }
  });
  return request;
}

function find(uri, raw) {
  var image = /^\\/media\\/([^/]+)\\/([0-9a-f]{32}\\.(?:${images}))$/.exec(uri);
  if (image !== null) {
    var folder = decode(image[1]);
    return folder === null ? null : { uri: '/${filesFolder}/media/' + encodeURIComponent(folder) + '/' + image[2], query: '' };
  }
  var path = /^\\/v1\\/(?!(?:${reservedWorkspaces.join('|')})\\/)([^/]+)\\/(${resourceKinds.join('|')}|${documentsPattern})(?:\\/([^/]+))?$/.exec(uri);
  if (path === null) return null;
  var workspace = decode(path[1]);
  var name = path[3] === undefined ? '' : decode(path[3]);
  var given = read(raw);
  if (workspace === null || name === null || given === null) return null;
  var key = path[2] + (path[3] === undefined ? '' : '/');
  var query = [];
  for (var i = 0; i < parameters.length; i++) {
    var parameter = parameters[i];
    var value = given[parameter[0]] || '';
    if (value === parameter[1]) value = '';
    if (value !== '') query.push(parameter[0] + '=' + value);
    if (value === '' || value === parameter[2]) key += ':' + value;
    else if (parameter[3] !== null && parameter[3].test(value)) key += ':*';
    else return null;
  }
  if (!files.hasOwnProperty(key)) return null;
  var stem = /^index$|\\.json$/i.test(name) ? name + '_' : name;
  var file = files[key].replace('{name}', encodeURIComponent(stem))
    .replace('{limit}', given.limit).replace('{page}', given.page);
  return {
    uri: '/${filesFolder}/v1/' + encodeURIComponent(workspace) + '/' + file,
    query: query.length === 0 ? '' : '?' + query.join('&')
  };
}

function decode(segment) {
  try {
    var name = decodeURIComponent(segment);
    return /^[._]|_$|[/\\\\\\0]/.test(name) ? null : name;
  } catch (error) {
    return null;
  }
}

function read(raw) {
  var given = Object.create(null);
  var pairs = raw.split('&');
  for (var i = 0; i < pairs.length; i++) {
    var equals = pairs[i].indexOf('=');
    var name = equals === -1 ? pairs[i] : pairs[i].slice(0, equals);
    if (/[%+]/.test(name) || /^fields\\./.test(name) || unfiled.indexOf(name) !== -1) return null;
    if (!parameters.some(function (parameter) { return parameter[0] === name; })) continue;
    if (given[name] !== undefined) return null;
    given[name] = equals === -1 ? '' : pairs[i].slice(equals + 1);
  }
  return given;
}
`
}
