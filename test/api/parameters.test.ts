import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/api/errors.ts'
import { type ParameterName, parametersOf } from '../../src/api/parameter-table.ts'
import { ignoredParameters, parseParameters } from '../../src/api/parameters.ts'
import { defaultParameters, type Parameters, type Target } from '../../src/api/request.ts'
import { matchRoute, splitQuery } from '../../src/api/routes.ts'

const postListNames = parametersOf(matchRoute('/v2/posts') as Target)
const slugLists = [
  ...(['categories', 'excludeCategories', 'tags', 'excludeTags'] as const),
  ...(['authors', 'excludeAuthors', 'slugs', 'ids'] as const),
]
const dates = ['publishedAfter', 'publishedBefore', 'updatedAfter', 'updatedBefore'] as const

describe('limit', () => {
  it.each([
    ['1', 1],
    ['10', 10],
    ['100', 100],
    ['05', 5],
    ['000100', 100],
    ['all', 'all'],
  ])('takes %j as %j on the post list', (value, limit) => {
    expect(read('/v2/posts', { limit: value }).limit).toBe(limit)
  })

  it.each([
    ...['0', '00', '-0', '-1', '101', '0101', '99999999999999999999', '1e308', '1e1', '0x10'],
    ...['+5', ' 5', '5 ', ' 5 ', '\u00a05', '5\n', '5.0', '5,0', '1_0', '٥', '５', '५', '𝟓', '½'],
    ...['All', 'ALL', ' all', 'alles', 'NaN', 'Infinity', 'null', 'true', 'ten', '\0', '1\0'],
  ])('refuses %j', (value) => {
    expect(refused('/v2/posts', { limit: value })).toEqual(['limit'])
  })

  it.each([
    '/v2/categories',
    '/v1/acme/tags',
    '/v2/authors',
    '/v2/tags/a?include=posts',
    '/v1/acme/authors/a?include=posts',
  ])('refuses `all` on %s: it is for posts alone', (target) => {
    expect(refused(target, { limit: 'all' })).toEqual(['limit'])
  })
})

describe('limit=all', () => {
  it.each([
    { limit: 'all', include: 'matches' },
    { limit: 'all', include: 'facets, matches', query: 'a' },
    { limit: 'all', include: 'matches', select: 'title', excludeContent: 'true' },
  ])('is refused with the texts of %j', (given) => {
    expect(refused('/v2/posts', given)).toEqual(['limit'])
  })

  it.each([
    { limit: 'all', include: 'facets' },
    { limit: '100', include: 'matches' },
    { include: 'matches' },
  ])('alone, or a page with matches, is accepted: %j', (given) => {
    expect(read('/v2/posts', given).include.length).toBe(1)
  })

  it('is reported once beside other mistakes', () => {
    expect(refused('/v2/posts', { limit: 'all', include: 'matches,x', page: '0' })).toEqual([
      'page',
      'include',
    ])
    expect(refused('/v2/posts', { limit: 'all', include: 'matches', page: '0' })).toEqual([
      'page',
      'limit',
    ])
  })

  it('is ignored with matches on lists that do not take both', () => {
    expect(refused('/v2/tags', { limit: 'all', include: 'matches' })).toEqual(['limit', 'include'])
    expect(read('/v2/posts/a', { limit: 'all' }).limit).toBe(10)
  })
})

describe('page', () => {
  it.each([
    ['1', 1],
    ['2', 2],
    ['007', 7],
    ['1000000', 1_000_000],
  ])('takes %j as %j', (value, page) => {
    expect(read('/v2/posts', { page: value }).page).toBe(page)
  })

  it.each([
    ...['0', '000', '-1', '+1', ' 1', '1 ', '1.0', '1e1', '1e308', '0x1', '١', '１', 'all', 'one'],
    ...['99999999999999999999', '9'.repeat(400)],
  ])('refuses %j', (value) => {
    expect(refused('/v2/posts', { page: value })).toEqual(['page'])
  })

  it('is still looked at where `limit=all` leaves only one', () => {
    expect(refused('/v2/posts?limit=all', { page: '0' })).toEqual(['page'])
  })
})

describe('a choice', () => {
  it.each([
    ['order', 'asc', 'asc'],
    ['order', 'desc', 'desc'],
    ['orderBy', 'publishedAt', 'publishedAt'],
    ['orderBy', 'updatedAt', 'updatedAt'],
    ['orderBy', 'title', 'title'],
    ['format', 'html', 'html'],
    ['format', 'markdown', 'markdown'],
    ['excludeContent', 'true', true],
    ['excludeContent', 'false', false],
    ['featured', 'true', true],
    ['featured', 'false', false],
  ] as const)('takes %s=%s', (name, value, parsed) => {
    expect(read('/v2/posts', { [name]: value })).toEqual({ ...defaultParameters, [name]: parsed })
  })

  it.each([
    ['order', ['ASC', 'Desc', ' asc', 'asc ', 'ascending', 'asc,desc', '1']],
    ['orderBy', ['Title', 'publishedat', 'id', 'slug', 'title,id', '-title']],
    ['format', ['HTML', 'Markdown', 'md', 'json', 'html ', 'html,markdown']],
    ['excludeContent', ['True', 'TRUE', '1', '0', 'yes', 'no', ' true', 'null']],
    ['featured', ['True', 'FALSE', '1', '0', 'yes', 'any', 'false ', 'null']],
  ] as const)('%s refuses every other word', (name, values) => {
    for (const value of values) expect(refused('/v2/posts', { [name]: value })).toEqual([name])
  })

  it('of the format is open to a single post too', () => {
    expect(read('/v1/acme/posts/a', { format: 'markdown' }).format).toBe('markdown')
    expect(refused('/v1/acme/posts/a', { format: 'md' })).toEqual(['format'])
  })
})

describe.each(slugLists)('%s', (name) => {
  it.each([
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['a,,b,', ['a', 'b']],
    [' a , b\t', ['a', 'b']],
    [',', []],
    [' , ,', []],
    ['a,a', ['a']],
    ['日本語,über', ['über', '日本語']],
  ])('reads %j', (value, slugs) => {
    expect(read('/v2/posts', { [name]: value })[name].toSorted()).toEqual(slugs.toSorted())
  })

  it('adds up its repeats', () => {
    expect(read(`/v2/posts?${name}=a,b&${name}=&${name}=c`)[name].toSorted()).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  it('is the same request in any order', () => {
    expect(read(`/v2/posts?${name}=b,a,c`)).toEqual(read(`/v2/posts?${name}=c&${name}=a,b,a`))
  })

  it('takes 100 values, blanks not counted, and refuses 101, however they are spread', () => {
    const slugs = Array.from({ length: 101 }, (_, number) => `s${number}`)
    const most = slugs.slice(0, 100).join(',,')
    expect(read('/v2/posts', { [name]: most })[name]).toHaveLength(100)
    expect(refused('/v2/posts', { [name]: slugs.join(',') })).toEqual([name])
    expect(refused(`/v2/posts?${name}=s100`, { [name]: most })).toEqual([name])
  })
})

describe.each(dates)('%s', (name) => {
  it.each([
    ['2026-03-04', '2026-03-04T00:00:00.000Z'],
    ['2026-03-04T09:30Z', '2026-03-04T09:30:00.000Z'],
    ['2026-03-04T09:30:15.25+02:00', '2026-03-04T07:30:15.250Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('takes %j as %j', (value, instant) => {
    expect(read('/v2/posts', { [name]: value })[name]).toBe(Date.parse(instant))
  })

  it.each([
    ...['2026', '2026-03', '2023-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '26-03-04'],
    ...['2026-03-04T24:00', '2026-03-04T9:30', '2026/03/04', '20260304', '1767225600000', 'now'],
    ...['2026-03-04T09:30:00 02:00', '2026-03-04T09:30:00+2', ' 2026-03-04', '2026-03-04,'],
  ])('refuses %j', (value) => {
    expect(refused('/v2/posts', { [name]: value })).toEqual([name])
  })

  it('says how the + of an offset is written', () => {
    const { details } = refusal(`/v2/posts?${name}=2026-03-04T09:30:00+02:00`)
    expect(details).toEqual([{ field: name, message: expect.stringContaining('write "+" as %2B') }])
    const escaped = read(`/v2/posts?${name}=2026-03-04T09:30:00%2B02:00`)
    expect(escaped[name]).toBe(Date.UTC(2026, 2, 4, 7, 30))
  })
})

describe('query', () => {
  it.each([
    ['hello world', 'hello world'],
    ['  hello\t', 'hello'],
    ['\u3000日本\u00a0', '日本'],
    ['a,b', 'a,b'],
    ['all', 'all'],
    ['"\\\0<b>', '"\\\0<b>'],
    ['   ', ''],
  ])('takes %j as %j', (value, text) => {
    expect(read('/v2/posts', { query: value }).query).toBe(text)
  })

  it.each([
    ['letters', 'x'],
    ['letters of two bytes', 'é'],
    ['characters of two code units', '😀'],
  ])('takes 256 %s, blanks around them not counted, and refuses 257', (_, character) => {
    const most = character.repeat(256)
    expect(read('/v2/posts', { query: `  ${most}  ` }).query).toBe(most)
    expect(refused('/v2/posts', { query: character.repeat(257) })).toEqual(['query'])
  })
})

describe('include', () => {
  it.each([
    '/v2/categories',
    '/v1/acme/tags',
    '/v1/acme/authors',
    '/v2/categories/a',
    '/v2/tags/a',
    '/v1/acme/authors/a',
  ])('takes `posts`, repeats and blanks on %s, and nothing else', (target) => {
    for (const value of ['posts', 'posts,posts', ' posts ', ',posts,'])
      expect(read(target, { include: value }).include).toEqual(['posts'])
    expect(read(`${target}?include=posts&include=posts`).include).toEqual(['posts'])
    expect(read(target, { include: ',' }).include).toEqual([])
    for (const value of ['Posts', 'post', 'authors', 'posts,tags', 'posts;tags', 'all', 'true'])
      expect(refused(target, { include: value })).toEqual(['include'])
  })

  it.each(['/v2/posts', '/v1/acme/posts/a'])(
    'takes `posts` on %s, where it adds nothing',
    (target) => {
      expect(read(target, { include: 'posts' })).toEqual(defaultParameters)
      const { details } = refusal(target, { include: 'posts,tags' })
      expect(details).toEqual([
        { field: 'include', message: expect.stringMatching(/"posts".*, not "tags"$/) },
      ])
    },
  )

  it('leaves limit and page of a single resource unused where it does not name posts', () => {
    for (const query of ['', '&include=', '&include=,'])
      expect(read(`/v2/tags/a?limit=x&page=0${query}`)).toEqual(defaultParameters)
    expect(refused('/v2/tags/a?limit=x&page=0&include=tags')).toEqual(['include'])
  })

  it('has limit and page looked at where it names posts, also beside something else', () => {
    expect(refused('/v2/tags/a?limit=x&page=0&include=posts')).toEqual(['limit', 'page'])
    expect(refused('/v2/tags/a?limit=x&page=0&include=posts,tags')).toEqual([
      'limit',
      'page',
      'include',
    ])
    expect(refused('/v2/tags/a?limit=x&include=posts&include=%zz')).toEqual(['limit', 'include'])
  })

  it('steers nothing on a list, whose limit and page are its own', () => {
    expect(read('/v2/tags?limit=5&page=2')).toMatchObject({ limit: 5, page: 2 })
    expect(refused('/v2/tags?limit=0')).toEqual(['limit'])
  })
})

describe('a parameter', () => {
  it.each(postListNames)('%s without a value is absent', (name) => {
    expect(read(`/v2/posts?${name}=`)).toEqual(defaultParameters)
    expect(read(`/v2/posts?${name}`)).toEqual(defaultParameters)
    expect(read(`/v2/posts?${name}=&${name}=`)).toEqual(defaultParameters)
  })

  it.each([
    ['limit', '5', '6'],
    ['limit', '5', 'all'],
    ['page', '1', '2'],
    ['order', 'asc', 'desc'],
    ['query', 'a', 'b'],
    ['format', 'html', 'markdown'],
    ['excludeContent', 'true', 'false'],
    ['featured', 'true', 'false'],
  ])('%s may be repeated, not contradicted', (name, value, other) => {
    const once = read(`/v2/posts?${name}=${value}`)
    expect(read(`/v2/posts?${name}=${value}&${name}=${value}`)).toEqual(once)
    expect(read(`/v2/posts?${name}=&${name}=${value}&${name}`)).toEqual(once)
    expect(refused(`/v2/posts?${name}=${value}&${name}=${other}`)).toEqual([name])
  })

  it.each(postListNames)('%s is refused when it is not percent-encoded UTF-8', (name) => {
    for (const broken of ['%', '%f', '%zz', '%E9', '%c0%80', '%ed%a0%80', 'x%ff'])
      expect(refused(`/v2/posts?${name}=${broken}`)).toEqual([name])
    expect(refused(`/v2/posts?${name}=%zz&${name}=`)).toEqual([name])
  })

  it.each([
    'foo=bar',
    'Limit=0&LIMIT=0&limit[]=0&limit%20=0&%20limit=0',
    'exclude_content=x&excludecontent=x',
    '__proto__=1&constructor=1&toString=1&hasOwnProperty=1',
    '__proto__.limit=0&prototype=x',
    '%zz=1&%=2&=3&&',
    'foo=%zz',
  ])('that is unknown is ignored: %s', (query) => {
    expect(read(`/v2/posts?${query}`)).toEqual(defaultParameters)
  })

  it.each([
    ['/v2/posts/a', ['limit', 'page', 'order', 'tags', 'query', 'excludeContent']],
    ['/v1/acme/categories', ['order', 'tags', 'query', 'format', 'excludeContent', 'featured']],
    ['/v2/tags/a', ['order', 'categories', 'query', 'format', 'excludeContent', 'featured']],
    ['/v1/acme/authors/a', ['order', 'excludeTags', 'query', 'format', 'featured']],
    ['/v2/authors', ['order', 'excludeTags', 'query', 'format', 'featured']],
  ])('that %s does not take is ignored, good or bad', (target, names) => {
    for (const value of ['%zz', 'x', '0', 'true', 'x'.repeat(300)]) {
      const query = names.map((name) => `${name}=${value}`).join('&')
      expect(read(`${target}?${query}`)).toEqual(defaultParameters)
    }
  })
})

describe('an unknown parameter', () => {
  const ignored = (target: string) => {
    const [path = '', query = ''] = target.split('?')
    return ignoredParameters(matchRoute(path) as Target, splitQuery(query))
  }

  it.each([
    ['/v1/acme/posts?catagories=a&limit=3&Limit=1&catagories=b', ['catagories', 'Limit']],
    ['/v1/acme/posts?utm_source=a&utm_x=b&_=1&fbclid=2&gclid=3', []],
    ['/v2/posts/a?page=2&format=markdown', ['page']],
    ['/v2/tags?order=asc&include=posts', ['order']],
    ['/v2/tags/a?limit=3&strict=false', []],
  ])('is named once, in the order of the query: %s', (target, names) => {
    expect(ignored(target)).toEqual(names)
  })

  it('is bad where the request is strict, with everything else that is', () => {
    expect(refused('/v2/posts?strict=true&catagories=a&limit=0&utm_source=x')).toEqual([
      ...['limit', 'catagories'],
    ])
    expect(read('/v2/posts?strict=true&tags=a&utm_source=x').tags).toEqual(['a'])
    expect(read('/v2/posts?strict=false&catagories=a')).toEqual(defaultParameters)
    expect(refused('/v2/posts?strict=1')).toEqual(['strict'])
  })
})

describe('a bad request', () => {
  it('lists every bad parameter with what it must be, and no good one', () => {
    const many = Array.from({ length: 101 }, (_, n) => n).join(',')
    const bad: Record<ParameterName, string> = {
      limit: '0',
      page: '0',
      order: 'up',
      orderBy: 'name',
      categories: many,
      excludeCategories: many,
      tags: many,
      excludeTags: many,
      authors: many,
      excludeAuthors: many,
      publishedAfter: '2026',
      publishedBefore: '2026-02-30',
      updatedAfter: 'today',
      updatedBefore: '2026-01-01T00:00:00 02:00',
      slugs: many,
      ids: many,
      query: 'x'.repeat(257),
      format: 'xml',
      excludeContent: 'maybe',
      select: 'title,body',
      featured: 'maybe',
      include: 'tags',
      strict: 'maybe',
      since: 'x'.repeat(257),
      status: 'live',
      type: 'film',
    }
    const { status, details } = refusal('/v2/posts', bad)
    expect(status).toBe(400)
    expect(details).toEqual(
      postListNames.map((field) => ({ field, message: expect.stringMatching(/\S/) })),
    )
    expect(refused('/v2/posts', { ...bad, limit: '5', query: 'x', tags: 'a' })).toEqual(
      postListNames.filter((name) => !['limit', 'query', 'tags'].includes(name)),
    )
  })

  it('names `type` on lists of media alone', () => {
    expect(refused('/v1/media?type=film&limit=0')).toEqual(['limit', 'type'])
    expect(read('/v1/media?type=video').type).toBe('video')
    expect(read('/v1/media/a?type=film&limit=0')).toEqual(defaultParameters)
    expect(read('/v1/posts?type=film')).toEqual(defaultParameters)
  })

  it('has the name of `status` where a key is needed, and for posts alone', () => {
    expect(refused('/v1/posts?status=live&limit=0')).toEqual(['limit', 'status'])
    expect(refused('/v1/posts/a?status=live')).toEqual(['status'])
    expect(read('/v1/posts?status=draft').status).toBe('draft')
    expect(read('/v2/posts/a?status=all').status).toBe('all')
    expect(read('/v1/acme/posts?status=draft')).toEqual(defaultParameters)
    expect(read('/v1/tags?status=draft')).toEqual(defaultParameters)
  })

  it('is the same in both versions', () => {
    expect(refusal('/v1/acme/posts?limit=0&page=x')).toEqual(refusal('/v2/posts?limit=0&page=x'))
  })
})

/** Parses the target's query, with more parameters percent-encoded behind it. */
function read(target: string, more: Readonly<Record<string, string>> = {}): Parameters {
  const [path = '', query = ''] = target.split('?')
  const encoded = Object.entries(more).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return parseParameters(
    matchRoute(path) as Target,
    splitQuery([query, ...encoded].filter((part) => part !== '').join('&')),
  )
}

function refusal(target: string, more: Readonly<Record<string, string>> = {}): ApiError {
  try {
    read(target, more)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error(`${target} is not refused`)
}

/** The fields of a refusal's details, in order. */
function refused(target: string, more: Readonly<Record<string, string>> = {}): readonly string[] {
  const { details } = refusal(target, more)
  return Array.isArray(details) ? details.map(({ field }) => field) : []
}
