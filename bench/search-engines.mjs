// Runs one engine in a separate process: builds or opens its index, runs every query and prints measurements.
// Usage: node search-engines.mjs <build|ask> <engine> <folder>
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const [, , task, engine, folder] = process.argv
const own = join(folder, engine)
const started = performance.now()
const bareBytes = process.memoryUsage().rss
const lib = (path) => import(new URL(`../.lib/${path}`, import.meta.url).href)
const installed = createRequire(join(folder, 'engines/package.json'))

/** Number of posts per part, and of parts per terms file. */
const partPosts = 64
const fileParts = Number(process.env.FILE_PARTS ?? 16)

/** Engines. Each builds an index from posts, and opens it as a function from a query and a category to ordinals. */
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
  const before = process.cpuUsage()
  const partOfWord = classes.find(({ name }) => name === 'part of a word')
  await search.find(partOfWord.queries[0], undefined)
  const firstMs = cpuMs(before)
  const firstBytes = search.bytes?.()
  const coldMs = performance.now() - started
  const coldBytes = process.memoryUsage().rss
  const results = []
  for (const { name, queries, category } of classes) {
    for (const query of queries.slice(0, 10)) await search.find(query, category)
    const answers = []
    const times = []
    for (const query of queries) {
      const from = process.cpuUsage()
      const answer = await search.find(query, category)
      times.push(cpuMs(from))
      if (engine === 'scan') answers.push(answer)
    }
    results.push({ name, ...spread(times) })
    // The results of a scan are the ground truth for the other engines.
    if (engine === 'scan') writeFileSync(truthFile(results.length - 1), JSON.stringify(answers))
  }
  const worstTimes = []
  for (const query of worst) {
    let best = Number.POSITIVE_INFINITY
    let hits = 0
    for (let round = 0; round < 3; round++) {
      const from = process.cpuUsage()
      hits = (await search.find(query, undefined)).length
      best = Math.min(best, cpuMs(from))
    }
    worstTimes.push({ query: query.slice(0, 32), ms: best, hits })
  }
  const warmBytes = process.memoryUsage().rss
  await compare(search, classes, results)
  print({
    bareBytes,
    coldMs,
    coldBytes,
    warmBytes,
    firstMs,
    firstBytes,
    results,
    worstTimes,
  })
}

async function compare(search, classes, results) {
  for (const [at, { queries, category }] of classes.entries()) {
    const truth = JSON.parse(readFileSync(truthFile(at), 'utf8'))
    const answers = engine === 'scan' ? truth : []
    if (engine !== 'scan') {
      for (const query of queries) {
        const found = await search.find(query, category)
        answers.push(Array.from(found))
      }
    }
    Object.assign(results[at], quality(answers, truth))
  }
}

/** Returns the processor time since a start, in milliseconds. */
function cpuMs(start) {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
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

async function quarry() {
  const { fold } = await lib('search/fold.js')
  const { partTerms, mergeTerms } = await lib('search/terms.js')
  const { openTerms } = await lib('search/search.js')
  return {
    build: (posts) => {
      const folded = posts.map(({ title, text }) => `${fold(title)}\0${fold(text)}`)
      const from = process.cpuUsage()
      const parts = []
      for (let at = 0; at < folded.length; at += partPosts) {
        parts.push(partTerms(folded.slice(at, at + partPosts)))
      }
      const termsSeconds = cpuMs(from) / 1000
      let joinSeconds = 0
      for (let at = 0; at < parts.length; at += fileParts) {
        const start = process.cpuUsage()
        const { dictionary, pages } = mergeTerms(parts.slice(at, at + fileParts))
        joinSeconds += cpuMs(start) / 1000
        writeFileSync(join(own, `${at}.dictionary`), JSON.stringify(dictionary))
        pages.forEach((page, number) => {
          writeFileSync(join(own, `${at}.${number}`), page)
        })
        const texts = folded.slice(at * partPosts, (at + fileParts) * partPosts)
        writeFileSync(join(own, `${at}.texts`), JSON.stringify(texts))
      }
      return { termsSeconds, joinSeconds }
    },
    open: () => {
      let bytes = 0
      const read = (name) => {
        const found = readFileSync(join(own, name))
        bytes += found.length
        return new Uint8Array(found)
      }
      const files = readdirSync(own)
        .filter((name) => name.endsWith('.dictionary'))
        .map((name) => Number.parseInt(name, 10))
        .sort((a, b) => a - b)
        .map((at) => {
          const pages = new Map()
          const texts = JSON.parse(readFileSync(join(own, `${at}.texts`), 'utf8'))
          let terms
          const page = (number) => {
            if (!pages.has(number)) pages.set(number, read(`${at}.${number}`))
            return pages.get(number)
          }
          const containing = (query, posts) => posts.filter((post) => texts[post].includes(query))
          return {
            first: at * partPosts,
            search: (query, among) => {
              terms ??= openTerms(JSON.parse(new TextDecoder().decode(read(`${at}.dictionary`))), {
                pages: async (numbers) => numbers.map(page),
                containing: async (text, posts) => containing(text, posts),
              })
              return terms.search(query, among)
            },
          }
        })
      const categories = JSON.parse(readFileSync(join(folder, 'categories.json'), 'utf8'))
      return {
        find: async (query, category) => {
          const folded = fold(query)
          const found = []
          for (const { first, search } of files) {
            const among = category && ((post) => categories[first + post] === category)
            for (const post of await search(folded, among)) found.push(first + post)
          }
          return found
        },
        /** Returns the number of bytes of the index that have been read. */
        bytes: () => bytes,
      }
    },
  }
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
      const { fold } = await lib('search/fold.js')
      const texts = posts.map(({ title, text }) => `${fold(title)}\0${fold(text)}\0`)
      writeFileSync(join(own, 'texts.json'), JSON.stringify(texts))
    },
    open: async () => {
      const { fold } = await lib('search/fold.js')
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
  const { fold } = await lib('search/fold.js')
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
  const { fold } = await lib('search/fold.js')
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
  const { fold } = await lib('search/fold.js')
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
