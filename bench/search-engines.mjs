// Runs one engine in a separate process: builds or opens its index, runs every query and prints measurements.
// Usage: node search-engines.mjs <build|ask> <engine> <folder>
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

const [, , task, engine, folder] = process.argv
const own = join(folder, engine)
const started = performance.now()
const bareBytes = process.memoryUsage().rss
const lib = (path) => import(new URL(`../.lib/${path}`, import.meta.url).href)
const installed = createRequire(join(folder, 'engines/package.json'))

/** Each engine builds from posts, and opens to a function from a query and a category to ordinals. */
const engines = { quarry, scan, sqlite, minisearch, flexsearch }
if (task === 'build') {
  mkdirSync(own, { recursive: true })
  const posts = JSON.parse(readFileSync(join(folder, 'posts.json'), 'utf8'))
  const from = performance.now()
  const extra = await (await engines[engine]()).build(posts)
  const seconds = (performance.now() - from) / 1000
  print({ seconds, ...sizes(), ...extra })
} else {
  const { classes, worst } = JSON.parse(readFileSync(join(folder, 'queries.json'), 'utf8'))
  const search = await (await engines[engine]()).open()
  await search.find(classes[0].queries[0], undefined)
  const coldMs = performance.now() - started
  const coldBytes = process.memoryUsage().rss
  search.hold?.()
  const results = []
  for (const { name, queries, category } of classes) {
    for (const query of queries.slice(0, 10)) await search.find(query, category)
    const answers = []
    const times = []
    const reads = []
    for (const query of queries) {
      search.reads?.()
      const from = performance.now()
      const answer = await search.find(query, category)
      times.push(performance.now() - from)
      if (engine === 'scan') answers.push(answer)
      reads.push(search.reads?.() ?? [0, 0])
    }
    results.push({ name, ...spread(times), ...most(reads) })
    // The results of a scan are the ground truth for the other engines.
    if (engine === 'scan') writeFileSync(truthFile(results.length - 1), JSON.stringify(answers))
  }
  const worstTimes = []
  for (const query of worst) {
    let best = Number.POSITIVE_INFINITY
    let hits = 0
    search.reads?.()
    for (let round = 0; round < 3; round++) {
      const from = performance.now()
      hits = (await search.find(query, undefined)).length
      best = Math.min(best, performance.now() - from)
    }
    worstTimes.push({
      query: query.slice(0, 32),
      ms: best,
      hits,
      ...most([search.reads?.() ?? [0, 0]]),
    })
  }
  const warmBytes = process.memoryUsage().rss
  await compare(search, classes, results)
  print({
    bareBytes,
    coldMs,
    coldBytes,
    warmBytes,
    results,
    worstTimes,
    filtersMs: search.filtersMs?.(),
  })
}

async function compare(search, classes, results) {
  for (const [at, { queries, category }] of classes.entries()) {
    const truth = JSON.parse(readFileSync(truthFile(at), 'utf8'))
    const answers = engine === 'scan' ? truth : []
    if (engine !== 'scan') {
      for (const query of queries) {
        const found = await search.find(query, category)
        answers.push(Array.from(found.slice(0, found.length)))
      }
    }
    Object.assign(results[at], quality(answers, truth))
  }
}

function truthFile(at) {
  return join(folder, `truth-${at}.json`)
}

function print(result) {
  process.stdout.write(JSON.stringify(result))
}

function sizes() {
  const files = readdirSync(own, { recursive: true }).map((file) => join(own, file))
  let raw = 0
  let text = 0
  let gzip = 0
  for (const file of files) {
    if (!statSync(file).isFile()) continue
    const bytes = readFileSync(file)
    if (file.includes('texts')) text += bytes.length
    else raw += bytes.length
    if (!file.includes('texts') && bytes.length < 1e9) gzip += gzipSync(bytes, { level: 1 }).length
  }
  return { raw, text, gzip, files: files.length }
}

function spread(times) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
  return { p50: at(0.5), p99: at(0.99) }
}

function quality(answers, truth) {
  let recall = 0
  let wanted = 0
  let right = 0
  let given = 0
  answers.forEach((answer, index) => {
    const true_ = new Set(truth[index])
    const hits = answer.filter((post) => true_.has(post)).length
    right += hits
    given += answer.length
    if (true_.size === 0) return
    wanted += 1
    recall += hits / true_.size
  })
  return { recall: wanted === 0 ? 1 : recall / wanted, precision: given === 0 ? 1 : right / given }
}

function most(reads) {
  return {
    readsMax: Math.max(...reads.map(([count]) => count)),
    filesMax: Math.max(...reads.map(([, files]) => files)),
  }
}

async function quarry() {
  return {
    build: async (posts) => {
      const { postTerms } = await lib('query/post-terms.js')
      const { makeSegment } = await lib('emit/segment.js')
      const { planSegments } = await lib('emit/segment-plan.js')
      const from = performance.now()
      const terms = posts.map(({ title, text }) => postTerms(title, text))
      const termsSeconds = (performance.now() - from) / 1000
      for (const name of ['search', 'texts']) mkdirSync(join(own, name), { recursive: true })
      const planned = posts.map(({ text }, number) => ({
        id: `post-${number}`,
        bytes: Buffer.byteLength(text),
      }))
      const segments = planSegments(planned, 0).map(({ shards, ...kind }) => {
        const inputs = shards.map((blocks) => ({
          key: '',
          blocks: blocks.map(({ start, end }) => ({
            key: '',
            posts: terms.slice(start, end).map((record) => ({ key: '', record })),
          })),
        }))
        const { files, segment } = makeSegment({ ...kind, shards: inputs })
        for (const { name, bytes } of files) writeFileSync(join(own, name), bytes)
        return segment
      })
      const search = { terms: '', segments }
      writeFileSync(join(own, 'contents.json'), JSON.stringify(search))
      const joinSeconds = (performance.now() - from) / 1000 - termsSeconds
      return {
        termsSeconds,
        joinSeconds,
        lists: segments.flatMap(({ lists }) => lists).length,
        blocks: segments.flatMap(({ texts }) => texts).length,
      }
    },
    open: async () => {
      // Bundled into one file, like functions.
      const asking = await import(pathToFileURL(join(folder, 'asking.mjs')).href)
      const { createFileStorage, bundledSearch, fold } = asking
      const storage = createFileStorage(own)
      const touched = new Set()
      let count = 0
      const counting = {
        makeSearchable: storage.makeSearchable,
        read: (name) => storage.read(name),
        readRange: (name, offset, length) => {
          count += 1
          touched.add(name)
          return storage.readRange(name, offset, length)
        },
        readInto: (name, offset, bytes) => {
          count += 1
          touched.add(name)
          storage.readInto(name, offset, bytes)
        },
      }
      const contents = JSON.parse(readFileSync(join(own, 'contents.json'), 'utf8'))
      const search = bundledSearch(contents, counting)
      const lists = new Map()
      return {
        // A server opens all files in advance, a function each on first read.
        hold: () =>
          storage.hold(contents.segments.flatMap(({ lists, texts }) => [...lists, ...texts])),
        find: async (query, category) => {
          const found = await search.search(fold(query))
          const kept = category === undefined ? found : found.among(categoryList(lists, category))
          // A function returns the count and one page.
          kept.slice(0, 10)
          return kept
        },
        reads: () => {
          const read = [count, touched.size]
          count = 0
          touched.clear()
          return read
        },
        filtersMs: () => filtersMs(asking, categoryList(lists, 1)),
      }
    },
  }
}

/** Filters by a category and a tag that every eighth post has, as a function does: the count and the first page. */
function filtersMs({ selectPosts, identifierTable, packLists, RecentValues }, category) {
  const count = JSON.parse(readFileSync(join(folder, 'categories.json'), 'utf8')).length
  const all = new Uint32Array(count).map((_, post) => post)
  const lists = [category, all.filter((post) => post % 8 === 0)]
  const slugs = identifierTable(new Map(lists.map((_, term) => [String(term), term])))
  const terms = { slugs, postings: packLists(lists) }
  const index = { all, terms: { categories: terms, tags: terms } }
  const excluded = { excludeCategories: [], excludeTags: [] }
  const filter = { categories: ['0'], tags: ['1'], ...excluded, featured: null, query: '' }
  const known = new RecentValues(1e6)
  const times = []
  for (let round = 0; round < 300; round++) {
    const from = performance.now()
    const selected = selectPosts(filter, index, null, { known })
    selected.slice(0, Math.min(10, selected.length))
    times.push(performance.now() - from)
  }
  return spread(times).p50
}

function categoryList(lists, category) {
  if (!lists.has(category)) {
    const categories = JSON.parse(readFileSync(join(folder, 'categories.json'), 'utf8'))
    lists.set(
      category,
      Uint32Array.from(categories.flatMap((found, number) => (found === category ? [number] : []))),
    )
  }
  return lists.get(category)
}

async function scan() {
  return {
    build: async (posts) => {
      const { fold } = await lib('query/fold.js')
      const texts = posts.map(({ title, text }) => `${fold(title)}\0${fold(text)}\0`)
      writeFileSync(join(own, 'texts.json'), JSON.stringify(texts))
    },
    open: async () => {
      const { fold } = await lib('query/fold.js')
      const texts = JSON.parse(readFileSync(join(own, 'texts.json'), 'utf8'))
      const lists = new Map()
      return {
        find: (query, category) => {
          const needle = fold(query)
          const found = []
          const within = category === undefined ? texts.keys() : categoryList(lists, category)
          for (const post of within) if (texts[post].includes(needle)) found.push(post)
          return found
        },
      }
    },
  }
}

async function sqlite() {
  const Database = installed('better-sqlite3')
  const { fold } = await lib('query/fold.js')
  return {
    build: async (posts) => {
      const db = new Database(join(own, 'index.db'))
      db.pragma('journal_mode = OFF')
      db.exec(`CREATE VIRTUAL TABLE posts USING fts5(title, text, tokenize = 'trigram case_sensitive 1');
        CREATE TABLE categories (post INTEGER PRIMARY KEY, category INTEGER)`)
      const insert = db.prepare('INSERT INTO posts (rowid, title, text) VALUES (?, ?, ?)')
      const sort = db.prepare('INSERT INTO categories VALUES (?, ?)')
      db.transaction(() => {
        for (const [number, { title, text, category }] of posts.entries()) {
          insert.run(number + 1, fold(title), fold(text))
          sort.run(number + 1, category)
        }
      })()
      db.exec("INSERT INTO posts (posts) VALUES ('optimize')")
      db.close()
    },
    open: async () => {
      const db = new Database(join(own, 'index.db'), { readonly: true })
      const match = db.prepare('SELECT rowid FROM posts WHERE posts MATCH ? ORDER BY rowid').pluck()
      const like = db
        .prepare('SELECT rowid FROM posts WHERE instr(title, ?) OR instr(text, ?) ORDER BY rowid')
        .pluck()
      const lists = new Map()
      return {
        find: (query, category) => {
          const needle = fold(query)
          const rows =
            [...needle].length < 3
              ? like.all(needle, needle)
              : match.all(`"${needle.replaceAll('"', '""')}"`)
          const found = rows.map((row) => row - 1)
          if (category === undefined) return found
          const wanted = new Set(categoryList(lists, category))
          return found.filter((post) => wanted.has(post))
        },
      }
    },
  }
}

async function minisearch() {
  const MiniSearch = installed('minisearch')
  const { fold } = await lib('query/fold.js')
  const options = { fields: ['title', 'text'], storeFields: ['category'] }
  return {
    build: async (posts) => {
      const index = new MiniSearch(options)
      index.addAll(
        posts.map(({ title, text, category }, id) => ({
          id,
          title: fold(title),
          text: fold(text),
          category,
        })),
      )
      writeFileSync(join(own, 'index.json'), JSON.stringify(index))
    },
    open: async () => {
      const index = MiniSearch.loadJSON(readFileSync(join(own, 'index.json'), 'utf8'), options)
      return {
        find: (query, category) =>
          index
            .search(fold(query), {
              combineWith: 'AND',
              prefix: true,
              filter: category === undefined ? undefined : (found) => found.category === category,
            })
            .map(({ id }) => id),
      }
    },
  }
}

async function flexsearch() {
  const { Index } = installed('flexsearch')
  const { fold } = await lib('query/fold.js')
  const options = { tokenize: 'forward' }
  return {
    build: async (posts) => {
      const index = new Index(options)
      for (const [id, { title, text }] of posts.entries()) index.add(id, fold(`${title} ${text}`))
      const parts = []
      index.export((key, data) => {
        if (data) parts.push([key, data])
      })
      await new Promise((resolve) => setTimeout(resolve, 100))
      parts.forEach(([key, data], at) => {
        writeFileSync(join(own, `part-${at}.json`), JSON.stringify([key, data]))
      })
    },
    open: async () => {
      const index = new Index(options)
      for (const file of readdirSync(own)) {
        const [key, data] = JSON.parse(readFileSync(join(own, file), 'utf8'))
        index.import(key, data)
      }
      const lists = new Map()
      return {
        find: (query, category) => {
          const found = index.search(fold(query), { limit: 1_000_000 })
          if (category === undefined) return found
          const wanted = new Set(categoryList(lists, category))
          return found.filter((post) => wanted.has(post))
        },
      }
    },
  }
}
