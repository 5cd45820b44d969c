// The Markdown parser (micromark) as the render thread is given it: the grammar is the packages', a few of their inner
// loops are not. They read every character of a line four times, each in a call of its own, only to find the end of
// the line. What is found is the same to the position, to which test/markdown/quick-micromark.test.ts holds it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const subtokenizer = join(import.meta.dirname, '../src/markdown/subtokenize.ts')

/** Makes what depends on a list of extensions, and finds it again. */
const madeOnce = `function madeOnce(made, extensions, make) {
  if (!made.has(extensions)) made.set(extensions, make(extensions))
  return made.get(extensions)
}
`

/**
 * What is put in the place of what, and how often it is there if not once.
 *
 * Runs: a line is one string among the parser's chunks, without its ending, tabs and NULs. Whoever looks for the end of
 * the line takes the string at once; whoever looks for the beginning of a construct takes what none can begin with.
 */
const edits = {
  'micromark/lib/create-tokenizer.js': [
    ['    consume,\n', '    consume,\n    consumeRun,\n'],
    [
      "  /** @type {Effects['enter']} */",
      `  function consumeRun(code, constructs) {
    const start = point._bufferIndex
    if (start < 0) return consume(code)
    const chunk = chunks[point._index]
    let end = constructs === undefined ? chunk.length : start + 1
    while (end < chunk.length && constructs[chunk.charCodeAt(end)] === undefined) end++
    point.column += end - start
    point.offset += end - start
    point._bufferIndex = end < chunk.length ? end : -1
    if (end === chunk.length) point._index++
    context.previous = chunk.charCodeAt(end - 1)
    consumed = true
  }
`,
    ],
  ],
  'micromark/lib/initialize/document.js': [
    [
      'effects.consume(code);\n    return flowContinue;',
      'effects.consumeRun(code);\n    return flowContinue;',
    ],
  ],
  'micromark/lib/initialize/content.js': [
    ['effects.consume(code);\n    return data;', 'effects.consumeRun(code);\n    return data;'],
  ],
  'micromark/lib/initialize/text.js': [
    [
      'effects.enter("data");\n      effects.consume(code);',
      'effects.enter("data");\n      effects.consumeRun(code, constructs);',
    ],
    [
      'return text(code);\n      }\n\n      // Data.\n      effects.consume(code);',
      'return text(code);\n      }\n      effects.consumeRun(code, constructs);',
    ],
  ],
  'micromark-core-commonmark/lib/content.js': [
    [
      'effects.consume(code);\n    return chunkInside;\n',
      'effects.consumeRun(code);\n    return chunkInside;\n',
    ],
  ],
  'micromark-core-commonmark/lib/code-fenced.js': [
    [
      'effects.consume(code);\n    return contentChunk;',
      'effects.consumeRun(code);\n    return contentChunk;',
    ],
  ],
  // Constructs and handlers are put together once for their extensions, not once a body.
  'micromark/lib/parse.js': [
    [
      'combineExtensions([defaultConstructs, ...(settings.extensions || [])]);',
      'madeOnce(byExtensions, settings.extensions || [], (extensions) => combineExtensions([defaultConstructs, ...extensions]));',
    ],
    [
      'export function parse(',
      `${madeOnce}const byExtensions = new WeakMap()\nexport function parse(`,
    ],
  ],
  // Handlers run one after the other: none needs a copy of their context of its own.
  'mdast-util-from-markdown/lib/index.js': [
    ['return compiler(options)(', 'return compilerOf(options)('],
    [
      'function compiler(options) {',
      `${madeOnce}const compilers = new WeakMap()
const compilerOf = (options) => madeOnce(compilers, options.mdastExtensions, () => compiler(options))
function contextOf(context, event) {
  context.sliceSerialize = event[2].sliceSerialize
  return context
}
function compiler(options) {`,
    ],
    ['  const data = {};\n  return compile;', '  return compile;'],
    [
      '      resume,\n      data\n    };',
      '      resume,\n      data: {},\n      sliceSerialize: undefined\n    };',
    ],
    [
      '{\n          ...context,\n          sliceSerialize: events[index][2].sliceSerialize\n        }',
      'contextOf(context, events[index])',
      3,
    ],
  ],
}

/** For esbuild. */
export const quickMicromark = {
  name: 'quick-micromark',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^micromark-util-subtokenize$/ }, () => ({ path: subtokenizer }))
    for (const [file, changes] of Object.entries(edits)) {
      const filter = new RegExp(`[\\\\/]node_modules[\\\\/]${file.replace(/\W/g, '[\\\\/.-]')}$`)
      onLoad({ filter }, ({ path }) => ({ contents: edited(path, changes), loader: 'js' }))
    }
  },
}

/** @throws Error where a file is not as it was when its edits were written */
function edited(path, changes) {
  return changes.reduce(
    (text, [from, to, times = 1]) => {
      const parts = text.split(from)
      if (parts.length === times + 1) return parts.join(to)
      throw new Error(`${path}: expected ${times}, found ${parts.length - 1} times: ${from}`)
    },
    readFileSync(path, 'utf8'),
  )
}
