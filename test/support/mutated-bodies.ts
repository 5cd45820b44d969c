// Bodies like those that people write, with mistakes at random: fragments of real ones, changed where constructs of
// Markdown meet.

/** Numbers from 0 to below 1, the same ones for a seed (mulberry32). */
type Random = () => number

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Endless bodies. @param bodies at least one */
export function* mutatedBodies(bodies: readonly string[], seed: number): Generator<string, never> {
  const random = randomFrom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const pick = <T>(values: readonly T[]) => values[below(values.length)] as T
  const fragment = () => fragmentOf(pick(bodies), below)
  for (;;) {
    if (random() < 0.15) yield Array.from({ length: 1 + below(30) }, () => pick(fragments)).join('')
    else {
      let body = fragment()
      for (let count = 1 + below(6); count > 0; count--) {
        body = pick(mutations)({ body, at: below(body.length + 1), below, pick, fragment })
      }
      yield body
    }
  }
}

interface Mutation {
  readonly body: string
  readonly at: number
  below(count: number): number
  pick<T>(values: readonly T[]): T
  fragment(): string
}

/** The first is the most likely one. */
const mutations: readonly ((mutation: Mutation) => string)[] = [
  ...Array.from({ length: 5 }, () => insertPart),
  ({ body, at, below }) => cut(body, at, 1 + below(4)),
  ({ body, at, below }) => cut(body, at, below(60)),
  ({ body, at, below }) => insert(body, below(body.length + 1), body.slice(at, at + below(30))),
  ({ body, pick }) => body.replace(/^/gm, pick(['> ', '  ', '- ', '    ', '\t', '> > ', '1. '])),
  ({ body, at, below, fragment }) => insert(body, at, fragment().slice(0, below(80))),
  ({ body, at, below }) => {
    const text = body.slice(at, at + below(20))
    return insert(cut(body, at, text.length), at, [...text].reverse().join(''))
  },
]

function insertPart({ body, at, pick }: Mutation): string {
  return insert(body, at, pick(fragments))
}

function insert(body: string, at: number, text: string): string {
  return body.slice(0, at) + text + body.slice(at)
}

function cut(body: string, at: number, length: number): string {
  return body.slice(0, at) + body.slice(at + length)
}

function fragmentOf(body: string, below: (count: number) => number): string {
  const start = below(Math.max(1, body.length - 200))
  const text = body.slice(start, start + 100 + below(900))
  const line = text.indexOf('\n') + 1
  return line < text.length - 50 && below(10) < 7 ? text.slice(line) : text
}

const fragments: readonly string[] = [
  ...[
    'a',
    'word ',
    'é',
    '日本',
    '\ufeff',
    '\u2028',
    '\u00a0',
    '😀',
    '𐄁',
    '\0',
    'w',
    'www.a.b',
    'http://a.b',
  ],
  ...['https://a.b/c_d?x=1&amp;y#z)', 'x@y.zz', 'mailto:x@y.zz', 'xmpp:x@y.zz/a', '/x@y.zz'],
  ...[
    '\n',
    '\n',
    '\n',
    '\n\n',
    '\n\n',
    '\r',
    '\r\n',
    ' ',
    '  ',
    '    ',
    '\t',
    ' \t',
    '  \n',
    '\\\n',
  ],
  ...['\n    ', '\n  ', '\n   ', '\n\t', '> ', '>', '\n> ', '\n>', '\n> > ', '- ', '\n- ', '\n* '],
  ...['\n+\t', '\n1. ', '\n12) ', '\n  - ', '\n   1. ', '\n- [x] ', '\n- [ ] ', '[ ]', '\n-\n'],
  ...['\n-   ', '\n-     ', '\n# ', '\n###### ', ' #', '\n===', '\n---', '\n--', '\n***', '\n___'],
  ...[
    '\n```',
    '\n```js\n',
    '\n~~~\n',
    '\n```\n',
    '\n    ```\n',
    '```',
    '*',
    '**',
    '***',
    '_',
    '__',
  ],
  ...[
    '~',
    '~~',
    '~~~',
    '`',
    '``',
    '\\',
    '\\*',
    '\\|',
    '&amp;',
    '&#64;',
    '&#0;',
    '&x',
    '&lt;',
    '&nbsp;',
  ],
  ...[
    '[',
    ']',
    '![',
    '](',
    ')',
    '[a](b)',
    '[a][b]',
    '[a]',
    '[]',
    '\n[b]: /c "d"\n',
    '\n[a]: <x y>\n',
  ],
  ...[
    '[^1]',
    '\n[^1]: ',
    '\n\n[^1]: x\n',
    '(',
    '"',
    "'",
    '<',
    '>',
    ':',
    '://',
    '@',
    '.',
    ',',
    ';',
    '!',
  ],
  ...[
    '?',
    '-',
    '+',
    '=',
    '#',
    '/',
    '<a>',
    '</a>',
    '<!-- ',
    '-->',
    '\n<div>\n',
    '</div>',
    '\n<pre>',
  ],
  ...['</pre', '\n</pre\n>', '<script>', '</script>', '<?', '?>', '<![CDATA[', ']]>', '<!X'],
  ...[
    '<b class="x"\n',
    '<http://a>',
    '<x@y.zz>',
    '\n| a | b |',
    '\n|-|:-|\n',
    '\n| a |\n|---|\n',
    '|',
    '\n|',
  ],
]
