// Hostile texts end soon: every scanner reads a text in linear time. A quadratic one takes minutes for these sizes.
import { describe, expect, it } from 'vitest'
import { anchorsToHeadings } from '../../src/static/anchors.ts'
import { readByline } from '../../src/static/authors.ts'
import { maskCode } from '../../src/static/code-mask.ts'
import { withoutComments } from '../../src/static/comments.ts'
import { containersToAlerts } from '../../src/static/containers.ts'
import { rewriteDestinations } from '../../src/static/destinations.ts'
import { plainMetadata } from '../../src/static/front.ts'
import type { BodyContext } from '../../src/static/generator.ts'
import { matchesGlob } from '../../src/static/globs.ts'
import { withoutKramdown } from '../../src/static/kramdown.ts'
import { blocksToMarkdown, shield } from '../../src/static/liquid-shields.ts'
import { withRubyNames } from '../../src/static/liquid-tags.ts'
import { mdxToMarkdown } from '../../src/static/mdx.ts'
import { readMoment } from '../../src/static/moments.ts'
import { findShortcodes, unescapeShortcodes } from '../../src/static/shortcode-syntax.ts'
import { showsText } from '../../src/static/shortcode-template.ts'
import { expandBlocks } from '../../src/wordpress/blocks.ts'
import { translateShortcodes } from '../../src/wordpress/shortcodes.ts'

const context: BodyContext = {
  head: {
    ...{ file: { path: 'a.mdx' }, values: {}, typed: {}, repeated: [], notes: [] },
    ...{ slug: 'a', title: 'A', date: '2026-01-01', day: '2026-01-01' },
  },
  bodyLine: 1,
  keepUnknown: false,
  unknown: () => {},
  changed: () => {},
  addressOf: () => undefined,
}
const wordpress = (text: string) =>
  translateShortcodes(text, {
    attachment: () => undefined,
    ownAttachments: [],
    onMissing: () => {},
    onTranslated: () => {},
  }).html
const blocks = (text: string) => expandBlocks(text, { patterns: new Map(), onDynamic: () => {} })

/** A text of about 400,000 characters. */
const long = (unit: string, before = '', after = '') =>
  before + unit.repeat(Math.ceil(400_000 / unit.length)) + after

describe('a text stays as it is, however long, in', () => {
  const scanners: readonly (readonly [string, (text: string) => string, readonly string[]])[] = [
    [
      'containers',
      (text) => containersToAlerts(text, context),
      [long(' ', 'a:::', 'b'), long('::: ', '', 'a'), long('a ::::')],
    ],
    [
      'WordPress',
      wordpress,
      [
        ...[
          long('a', '[['),
          long('[[a'),
          long('[a '),
          long('[embed '),
          long('[embed] '),
          long('[caption '),
          long('[caption]'),
        ],
        ...[
          long('[code '),
          long('[code]'),
          long('<pre '),
          long('<!--'),
          long(' ', '[embed]'),
          long('[a x="'),
        ],
      ],
    ],
    ['blocks of WordPress', blocks, [long('<!-- wp:a {'), long('<!-- wp:a '), long(' ', '<!--')]],
    ['shortcodes of Hugo', unescapeShortcodes, [long('{{</*'), long('{{<a'), long('*/>}}')]],
    [
      'names of Liquid',
      withRubyNames,
      [long('{%a.['), long('{{'), long('{% capture '), long(' ', '{% capture')],
    ],
    [
      'blocks of Liquid',
      (text) => blocksToMarkdown(text, context),
      [long('{% raw %}'), long('{% highlight '), long('{% comment %}'), long(' ', '{% raw')],
    ],
    ['markup of Liquid', shield, [long('{% capture a %}'), long('{{ '), long('{%')]],
    [
      'anchors',
      (text) => anchorsToHeadings(text, () => {}),
      [
        long('[', '[x](#y)\n\n# '),
        long('![a](', '[x](#y)\n\n# '),
        long(' #', '[x](#y)\n\n# ', ' b'),
        long('<a', '[x](#y)\n\n# '),
      ],
    ],
    [
      'comments',
      (text) => withoutComments(text, context),
      [
        ...[
          '{# ',
          '{% comment %}',
          '{{!',
          '{{!--',
          '{{/*',
          '{/*',
          '<%#',
          '<!--',
          '{::comment}',
          '{% raw %}',
        ].map((unit) => long(unit)),
        ...[long(' ', '{'), long('{{< highlight '), long('[//]: '), long('`{# ')],
      ],
    ],
    [
      'destinations',
      (text) => rewriteDestinations(text, (url) => url),
      [
        long(' ', ']('),
        long(']('),
        long('](a(b)'),
        long('<a src='),
        long('<a '),
        long('[a'),
        long('\u2028[a'),
      ],
    ],
    [
      'kramdown',
      (text) => withoutKramdown(text, { changed: () => {} }),
      [
        long('{:#'),
        long('a {:', '# '),
        long('* a\n{:toc'),
        long('<a markdown'),
        long('<a markdown=1 '),
        long('\u2028* a {:'),
      ],
    ],
  ]
  it.each(scanners)(
    '%s',
    (_, scan, texts) => {
      for (const text of texts) expect(scan(text) === text, text.slice(0, 40)).toBe(true)
    },
    60_000,
  )
})

describe('a value is right, however long the text, of', () => {
  it('containers', () => {
    expect(containersToAlerts(`:::note a${' '.repeat(400_000)}b`, context).length).toBeGreaterThan(
      400_000,
    )
    const nested = containersToAlerts(long(':::a\n'), context)
    expect(nested.trim()).toBe('')
  }, 60_000)

  it('the mask of code', () => {
    const runs = long('` `` ')
    expect(maskCode(runs)).toHaveLength(runs.length)
    expect(maskCode(long('` ')).includes('`')).toBe(false)
    for (const unit of ['<pre ', '<code>', '<!--', '> ```\n', '- ', '\\`'])
      expect(maskCode(long(unit))).toHaveLength(long(unit).length)
  }, 60_000)

  it('shortcodes', () => {
    expect(findShortcodes(long('{{<a>}}'))).toHaveLength(Math.ceil(400_000 / 7))
    expect(findShortcodes(long('{{<a>}}') + long('{{</a>}}', '', ''))).not.toHaveLength(0)
    for (const unit of ['{{<a', '{{<a "', '{{<a \\"', '{{<a `', '{{<', '{{<a "x" '])
      expect(findShortcodes(long(unit))).toEqual([])
    expect(findShortcodes(`${long(' ', '{{<a')}/>}}`)).toHaveLength(1)
  }, 60_000)

  it('templates', () => {
    for (const unit of ['<script', '<{{', '{{', '{{ if ', '<{{}}', '<a ', '{{/*'])
      expect([unit, showsText(long(unit))]).toEqual([unit, true])
    expect(showsText(long('<a {{ .x }}>'))).toBe(false)
  }, 60_000)

  it('bylines', () => {
    for (const text of [
      long(' ', 'a', 'b'),
      long('['),
      long('[a]('),
      long(' and'),
      long('a ('),
      long('a, '),
    ])
      expect(readByline(text, () => false).authors.length).toBeGreaterThan(0)
  }, 60_000)

  it('MDX', () => {
    for (const unit of [
      'import {\n',
      'import a',
      '# {',
      '# {/* ',
      '{"',
      '{ ',
      'export const a = {\n',
      '<A b={/*',
      '<A b={"',
      '$$',
      '\u2028import ',
    ])
      expect(typeof mdxToMarkdown(long(unit).slice(0, 100_000), context)).toBe('string')
  }, 120_000)

  it('paths, dates and metadata', () => {
    expect(matchesGlob('a'.repeat(4000), `${'*a'.repeat(100)}b`)).toBe(false)
    expect(matchesGlob('posts/a/b/c.md', 'posts/**/c.md')).toBe(true)
    expect(matchesGlob('posts/c.md', 'posts/**/c.md')).toBe(true)
    expect(matchesGlob('posts/a/c.md', 'posts/*.md')).toBe(false)
    expect(matchesGlob('posts/a/c.md', 'posts/*.md', false)).toBe(true)
    expect(readMoment(long(' ', '2020-01-01', 'x'))).toBeUndefined()
    expect(plainMetadata(long('a: b\n'))).toBeUndefined()
  }, 60_000)
})
