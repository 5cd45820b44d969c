// A CloudFront Function (cloudfront-js-2.0) that sends canonical v1 requests and images to the files in the bucket, and
// everything else to the Lambda function. Where the bucket has no file, CloudFront asks the Lambda function.
import cf from 'cloudfront'

// Lists, categories, tags and feeds change when a scheduled post comes out, so the Lambda function sends them. Name the
// workspaces that never schedule posts here: the bucket then sends their lists, too.
var listsInBucket = []

var unfiled = [
  'orderBy',
  'categories',
  'excludeCategories',
  'tags',
  'excludeTags',
  'tagsMatch',
  'authors',
  'excludeAuthors',
  'authorsMatch',
  'publishedAfter',
  'publishedBefore',
  'updatedAfter',
  'updatedBefore',
  'slugs',
  'ids',
  'query',
  'match',
  'select',
  'featured',
  'strict',
  'since',
  'locale',
]

function handler(event) {
  var request = event.request
  var headers = request.headers
  delete headers['x-quarry-target']
  headers['x-quarry-client'] = { value: event.viewer.ip }
  if (request.method !== 'GET' && request.method !== 'HEAD') return request
  if (headers['if-match'] || headers['if-unmodified-since'] || headers['range']) return request
  var given = readQuery(request.rawQueryString() || '')
  var image = imageOf(request.uri)
  var file = image === null ? fileOf(request.uri, given) : image
  if (file === null) return request
  // All requests for a file share a response in the cache, so the Lambda function sees none of their other parameters.
  headers['x-quarry-target'] = { value: request.uri + (image === null ? queryOf(given) : '') }
  Object.keys(headers).forEach(function (name) {
    if (name.indexOf('x-amz-') === 0) delete headers[name]
  })
  request.uri = '/files/' + file
  request.querystring = {}
  cf.createRequestOriginGroup({
    originIds: [{ originId: 'files' }, { originId: 'function' }],
    failoverCriteria: { statusCodes: [400, 403, 404, 416, 500, 502, 503, 504] },
  })
  return request
}

function imageOf(uri) {
  var found = /^\/media\/([^/]+)\/([0-9a-f]{32}\.(?:png|jpg|jpeg|gif|webp|avif)|files\/[0-9a-f]{32}\.[a-z0-9]{1,10})$/.exec(uri)
  var workspace = found === null ? null : decode(found[1])
  return workspace === null ? null : 'media/' + encodeURIComponent(workspace) + '/' + found[2]
}

// The file of a canonical request, or null.
function fileOf(uri, given) {
  var found =
    /^\/v1\/([^/]+)\/(posts|categories|tags|authors|redirects|changes|feed\.xml|atom\.xml|feed\.json|sitemap\.xml|llms(?:-full)?\.txt)(?:\/([^/]+))?$/.exec(
      uri,
    )
  if (found === null || given === null) return null
  var workspace = decode(found[1])
  var name = found[3] === undefined ? '' : decode(found[3])
  if (
    workspace === null ||
    name === null ||
    ['posts', 'categories', 'tags', 'authors', 'media', 'fields'].indexOf(workspace) !== -1
  )
    return null
  var isSingle = name !== ''
  var isPost = found[2] === 'posts'
  if (listsInBucket.indexOf(workspace) === -1) {
    if (!isSingle || given.include !== '' || !(isPost || found[2] === 'authors')) return null
  }
  var variant = variantOf(given)
  var leaf = leafOf(given)
  if (leaf === null) return null
  var folder = 'v1/' + encodeURIComponent(workspace) + '/' + found[2]
  if (!/^(?:posts|categories|tags|authors)$/.test(found[2])) {
    if (isSingle || variant !== '') return null
    if (leaf === 'index') return folder + (/\./.test(found[2]) ? '' : '.json')
    var page = /^_page\/(\d+)$/.exec(leaf)
    return found[2] === 'sitemap.xml' && page !== null
      ? folder.slice(0, -4) + '-' + page[1] + '.xml'
      : null
  }
  if (isPost ? given.include !== '' : variant !== '') return null
  if (!isSingle) return folder + '/' + variant + leaf + '.json'
  var stem = encodeURIComponent(/^index$|\.json$/i.test(name) ? name + '_' : name)
  if (leaf === 'index' && /^(?:_markdown\/)?$/.test(variant))
    return folder + '/' + variant + stem + '.json'
  return /_posts\//.test(leaf) ? folder + '/' + stem + '/' + leaf + '.json' : null
}

// Posts without content are equal in every format.
function variantOf(given) {
  var isBare = given.excludeContent === 'true'
  return (
    (given.format === 'markdown' && !isBare ? '_markdown/' : '') +
    (given.order === 'asc' ? '_asc/' : '') +
    (isBare ? '_excludeContent/' : '')
  )
}

function leafOf(given) {
  if (given.limit === 'all') return given.page === '' && given.include === '' ? '_all' : null
  var folder = given.limit === '' ? '' : '_limit/' + given.limit + '/'
  if (given.include === 'posts') return folder + '_posts/' + (given.page || '1')
  return folder + (given.page === '' ? 'index' : '_page/' + given.page)
}

// The parameters that files have, '' for a default; null when another response than that of a file is wanted.
function readQuery(raw) {
  var given = { include: '', format: '', order: '', excludeContent: '', limit: '', page: '' }
  var usual = {
    include: '',
    format: 'html',
    order: 'desc',
    excludeContent: 'false',
    limit: '10',
    page: '1',
  }
  var others = {
    include: /^posts$/,
    format: /^markdown$/,
    order: /^asc$/,
    excludeContent: /^true$/,
    limit: /^(?:all|[1-9][0-9]?|100)$/,
    page: /^(?:[2-9]|[1-9][0-9]{1,14})$/,
  }
  var seen = {}
  var pairs = raw.split('&')
  for (var i = 0; i < pairs.length; i++) {
    var equals = pairs[i].indexOf('=')
    var name = equals === -1 ? pairs[i] : pairs[i].slice(0, equals)
    var value = equals === -1 ? '' : pairs[i].slice(equals + 1)
    if (/[%+]/.test(name) || /^fields\./.test(name) || unfiled.indexOf(name) !== -1) return null
    if (!usual.hasOwnProperty(name)) continue
    if (seen[name] === true) return null
    seen[name] = true
    if (value === '' || value === usual[name]) continue
    if (!others[name].test(value)) return null
    given[name] = value
  }
  return given
}

function queryOf(given) {
  var names = Object.keys(given).filter(function (name) {
    return given[name] !== ''
  })
  var words = names.map(function (name) {
    return name + '=' + given[name]
  })
  return words.length === 0 ? '' : '?' + words.join('&')
}

// No name begins with "." or "_", or ends with "_".
function decode(segment) {
  try {
    var name = decodeURIComponent(segment)
    return name === '' || /^[._]|_$|[/\\\0]/.test(name) ? null : name
  } catch (error) {
    return null
  }
}
