import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../../test/support/empty-folder.ts'
import { blocks } from '../src/exports.ts'
import type { ImportContext } from '../src/site.ts'
import { importWordpress } from '../src/wordpress/wordpress.ts'
import { imported, put, rowsOf } from './imported.ts'

const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

/** An item as WordPress exports it; what is not given is that of a published post. */
function item(texts: Readonly<Record<string, string>>, more = ''): string {
  const all = {
    title: 'Hello',
    'dc:creator': 'ada',
    'content:encoded': 'Text.',
    'excerpt:encoded': '',
    'wp:post_id': '10',
    'wp:post_date': '2012-03-15 15:15:12',
    'wp:post_date_gmt': '2012-03-15 22:15:12',
    ...{ 'wp:post_name': 'hello', 'wp:status': 'publish', 'wp:post_parent': '0' },
    ...{ 'wp:post_type': 'post', 'wp:post_password': '', 'wp:is_sticky': '0' },
    ...texts,
  }
  const elements = Object.entries(all).map(([name, text]) => `<${name}>${cdata(text)}</${name}>`)
  return `<item>\n${elements.join('\n')}\n${more}</item>\n`
}

const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`

const term = (domain: string, slug: string, name: string) =>
  `<category domain="${domain}" nicename="${slug}">${cdata(name)}</category>`

const attachment = (id: string, url: string, parent = '0', caption = '') =>
  item({
    ...{ 'wp:post_id': id, 'wp:post_type': 'attachment', 'wp:status': 'inherit' },
    ...{ 'wp:attachment_url': url, 'wp:post_parent': parent, 'excerpt:encoded': caption },
  })

const head = `<title>My blog</title><wp:base_blog_url>https://blog.example.com/</wp:base_blog_url>
<wp:author><wp:author_id>1</wp:author_id><wp:author_login>ada</wp:author_login><wp:author_email>ada@example.com</wp:author_email><wp:author_display_name>${cdata('Ada L.')}</wp:author_display_name></wp:author>
<wp:category><wp:term_id>3</wp:term_id><wp:category_nicename>r-d</wp:category_nicename><wp:cat_name>${cdata('R&amp;D')}</wp:cat_name></wp:category>`

function importItems(
  items: readonly string[],
  options: Partial<ImportContext> = {},
  folder = emptyFolder(),
) {
  const text = `<?xml version="1.0" encoding="UTF-8" ?>\n<rss version="2.0"><channel>${head}\n${items.join('')}</channel></rss>`
  return imported(importWordpress, folder, put(folder, 'blog.xml', text), options)
}

/** Names of blocks, attributes and post meta that restrict readers, with a content or a value. */
const restricting = `
jetpack/paywall | <!-- wp:jetpack/paywall --><div></div><!-- /wp:jetpack/paywall -->
premium-content/x | <!-- wp:premium-content/x /-->
pmpro/membership | <!-- wp:pmpro/membership {"levels":["1"]} -->
otterConditions | <!-- wp:paragraph {"otterConditions":[[{"type":"loggedInUser"}]]} -->
contentControls | <!-- wp:group {"contentControls":{"enabled":true}} -->
blockVisibility | <!-- wp:group {"metadata":{"blockVisibility":false}} -->
displaySchedule | <!-- wp:group {"displaySchedule":{"start":"2999-01-01"}} -->
query-no-results | <!-- wp:query-no-results -->
kadence/row | <!-- wp:kadence/row {"vsdesk":true,"vstablet":true,"vsmobile":true} -->
_members_access_role | editor
um_content_restriction | a:1:{s:14:"_um_accessible";s:1:"2";}
ihc_mb_who | reg
_unlisted | yes
_expiration-date | 1600000000
`
/** Attributes of blocks for all readers. */
const unrestricted =
  '{"level":3,"lock":{"move":true},"contentControls":{"enabled":false},"vsdesk":true,"otterConditions":[],"blockVisibility":true}'

describe('an export of WordPress', () => {
  it('keeps ids, slugs, dates, terms, authors, old slugs and the featured image', async () => {
    const { post, files, read, entries } = await importItems([
      item(
        {
          title: 'A &amp; <em>B</em>',
          'excerpt:encoded': '<p>Short &#8211; and plain.</p>',
          'wp:post_name': '%e3%81%82%e3%81%84',
          'wp:is_sticky': '1',
        },
        [
          term('category', 'r-d', 'R&amp;D'),
          term('category', 'second', 'Second'),
          term('post_tag', 'c-sharp', 'C#'),
          term('post_format', 'post-format-aside', 'Aside'),
          meta('_thumbnail_id', '20'),
          meta('_wp_old_slug', 'before'),
          '<wp:comment><wp:comment_content>hi</wp:comment_content></wp:comment>',
        ].join(''),
      ),
      // Attachments come after the posts that show them.
      attachment('20', 'https://blog.example.com/wp-content/uploads/2012/03/a.png'),
    ])
    expect(post('あい')).toEqual({
      fields: {
        slug: 'あい',
        id: '10',
        title: 'A & B',
        description: 'Short – and plain.',
        category: 'r-d',
        tags: ['second', 'c-sharp'],
        authors: ['ada'],
        publishedAt: '2012-03-15T22:15:12.000Z',
        featured: true,
        coverImage: 'https://blog.example.com/wp-content/uploads/2012/03/a.png',
        aliases: ['before'],
      },
      body: 'Text.',
    })
    expect(files).toEqual([
      'authors/ada.md',
      'categories/r-d.md',
      'posts/あい.md',
      'tags/c-sharp.md',
      'tags/second.md',
      'workspace.yml',
    ])
    expect(read('categories/r-d.md')).toBe('---\nslug: r-d\nid: "3"\nname: R&D\n---\n')
    expect(read('authors/ada.md')).toBe('---\nslug: ada\nid: "1"\nname: Ada L.\n---\n')
    expect(entries('left')).toEqual({
      'comment or pingback': 1,
      'term of the taxonomy "post_format"': 1,
    })
    expect(entries('changed')).toEqual({ 'category made a tag: a post has one category': 1 })
  })

  type Case = [Readonly<Record<string, string>>, string, string]
  it.each<Case>([
    [{ 'wp:post_password': 'x' }, '', 'protected by a password'],
    [{ 'wp:status': 'private' }, '', 'its status is "private"'],
    [{ 'wp:status': 'shared' }, '', 'its status is "shared"'],
    [{}, term('post_tag', 'm', 'Members only'), '`tags: Members only` may withhold it'],
    [{ 'wp:status': 'future', 'wp:post_date_gmt': '0' }, '', 'scheduled without a date in UTC'],
    ...rowsOf(restricting).map(([name = '', content = '']): Case => {
      const isMeta = !content.startsWith('<')
      const texts = isMeta ? undefined : { 'content:encoded': content }
      const reason = `\`${name}\` may restrict its readers`
      return [{ ...texts }, isMeta ? meta(name, content) : '', reason]
    }),
  ])('makes a draft of a post with %j%s: %s', async (texts, more, reason) => {
    const { post, entries } = await importItems([item(texts, more)])
    expect(post('hello').fields['status']).toBe('draft')
    expect(entries('changed')).toMatchObject({ [`made a draft: ${reason}`]: 1 })
  })

  it('leaves drafts drafts, schedules what is due later, and reports what is no post', async () => {
    const { post, files, entries } = await importItems([
      item({
        ...{ title: 'Not yet', 'wp:post_name': '', 'wp:status': 'draft' },
        'wp:post_date_gmt': '0000-00-00 00:00:00',
      }),
      item(
        {
          ...{ 'wp:post_id': '11', 'wp:post_name': 'not-yet', 'wp:status': 'future' },
          'wp:post_date_gmt': '2999-01-01 00:00:00',
          'content:encoded': `<!-- wp:heading ${unrestricted} -->\nText.`,
        },
        meta('rcp_access_level', 'None'),
      ),
      item({ 'wp:post_id': '12', 'wp:status': 'trash' }),
      item({ 'wp:post_id': '13', 'wp:post_type': 'page' }),
      item({ 'wp:post_id': '14', 'wp:post_type': 'nav_menu_item' }),
      item({ 'wp:post_id': '15', 'wp:post_type': 'revision', 'wp:status': 'inherit' }),
    ])
    // The slug that WordPress made stays; the one that is made of a title gives way.
    expect({ status: 'none', ...post('not-yet').fields }).toMatchObject({
      ...{ id: '11', status: 'none', publishedAt: '2999-01-01T00:00:00.000Z' },
    })
    expect(post('not-yet-2012').fields).toMatchObject({
      status: 'draft',
      publishedAt: '2012-03-15T15:15:12.000Z',
    })
    expect(files.filter((file) => file.startsWith('posts/'))).toHaveLength(2)
    expect(entries('files')).toEqual({
      'skipped: item of type "nav_menu_item"': 1,
      'page: item of type "page"': 1,
      'skipped: post in status "trash"': 1,
    })
    expect(entries('changed')).toMatchObject({ 'date without a time zone, read as UTC': 1 })
  })

  it('copies images of --media', async () => {
    const folder = emptyFolder()
    put(folder, 'uploads/2012/03/a-300x200.png', 'png')
    const content = [
      '<img src="https://blog.example.com/wp-content/uploads/2012/03/a-300x200.png" alt="A">',
      '<img src="https://blog.example.com/wp-content/uploads/2012/03/gone.png">',
      '<img src="https://other.example.com/wp-content/uploads/2012/03/a-300x200.png">',
    ].join('\n\n')
    const { post, read, entries } = await importItems(
      [item({ 'content:encoded': content })],
      { media: folder },
      folder,
    )
    expect(read('media/2012/03/a-300x200.png')).toBe('png')
    expect(post('hello').body.split('\n\n')).toEqual([
      '![A](../media/2012/03/a-300x200.png)',
      '![](https://blog.example.com/wp-content/uploads/2012/03/gone.png)',
      '![](https://other.example.com/wp-content/uploads/2012/03/a-300x200.png)',
    ])
    expect(entries('left')).toEqual({ 'image not found below --media': 1 })
  })

  it('makes paragraphs, and expands blocks', async () => {
    const names = [...blocks].filter((name) => !/^(?:hr|t.*)$/.test(name))
    const hidden = names.map((name) => `<${name} style="display:none">b</${name}>`)
    const bodies: readonly (readonly [string, string])[] = [
      [`a\n\n${hidden.join('\n\n')}\n\nc`, 'a\n\nc'],
      ['a\n\nb\n\n\n\nc', 'a\n\nb\n\nc'],
      ['a\nb<br />\nc', 'a\\\nb\\\nc'],
      ['a\n<h2>b</h2>\nc\n<ul>\n<li>d</li>\n</ul>', 'a\n\n## b\n\nc\n\n- d'],
      ['<blockquote>a\n\nb</blockquote>', '> a\n>\n> b'],
      ['<pre>a\n\n  b</pre>\n\nc', '```\na\n\n  b\n```\n\nc'],
      ['<strong>a\nb</strong>', '**a\\\nb**'],
      ['a\n\n<!--more Read on-->\n\nb', 'a\n\n<!-- more -->\n\nb'],
      ['https://youtu.be/x', '[https://youtu.be/x](https://youtu.be/x)'],
      ['<!-- wp:paragraph {"a":{"b":"}"}} -->\n<p>a\nb</p>\n<!-- /wp:paragraph -->', 'a b'],
      ['<!-- wp:spacer -->\n<div></div>\n<!-- /wp:spacer -->\na\n\nb', 'a b'],
      ['<!-- wp:html -->\na <p hidden>b\n\nc</p>\n<!-- /wp:html -->', 'a'],
      ['<!-- wp:block {"ref":30} /-->', 'Pattern.'],
      ['<p>a</p><!-- wp:block {"ref":31} /-->', 'a'],
    ]
    const pattern = { 'wp:post_type': 'wp_block', 'content:encoded': '<p>Pattern.</p>' }
    const { post } = await importItems([
      ...bodies.map(([content], at) =>
        item({ 'wp:post_name': `p${at}`, 'content:encoded': content }),
      ),
      item({ ...pattern, 'wp:post_id': '30' }),
      item({ ...pattern, 'wp:post_id': '31', 'wp:status': 'draft' }),
    ])
    expect(bodies.map((_, at) => post(`p${at}`).body)).toEqual(bodies.map(([, body]) => body))
  })

  it('puts footnotes behind the text, and reports blocks without content', async () => {
    const notes = meta('footnotes', JSON.stringify([{ id: 'a', content: 'The <em>note</em>' }]))
    const content =
      '<!-- wp:paragraph --><p>a<sup>1</sup></p><!-- /wp:paragraph --><!-- wp:footnotes /--><!-- wp:latest-posts /-->'
    const { post, entries } = await importItems([item({ 'content:encoded': content }, notes)])
    expect(post('hello').body).toBe('a<sup>1</sup>\n\n1. The _note_')
    expect(entries('left')).toEqual({ 'block "latest-posts": WordPress generates its content': 1 })
    const link = '<sup data-fn="a"><a href="#a">1</a></sup>'
    const linked = await importItems([
      item({ 'content:encoded': content.replace('<sup>1</sup>', link) }, notes),
    ])
    expect(linked.post('hello').body).toBe('a<sup>[1](#a)</sup>\n\n1. <a id="a"></a>The _note_')
    const hidden = await importItems([item({ 'content:encoded': '<p>a</p>' }, notes)])
    expect(hidden.post('hello').body).toBe('a')
    expect(hidden.entries('left')).toEqual({ 'footnotes without their block': 1 })
  })

  it('translates shortcodes', async () => {
    const bodies: readonly (readonly [string, string])[] = [
      [
        '[caption id="a" width="9"]<a href="/b"><img src="/c.png" /></a> The <em>text</em>[/caption]',
        '<figure><a href="/b"><img src="/c.png"></a><figcaption>The <em>text</em></figcaption></figure>',
      ],
      [
        '[embed width="9"]https://e.com/?a=1&amp;b=2[/embed]',
        '[https://e.com/?a=1\\&b=2](https://e.com/?a=1\\&b=2)',
      ],
      [
        '[gallery ids="20,21,99"]',
        '![](https://e.com/a.png)\n\n<figure><img src="https://e.com/b.png" alt=""><figcaption>B</figcaption></figure>',
      ],
      [
        '[gallery]',
        '<figure><img src="https://e.com/b.png" alt=""><figcaption>B</figcaption></figure>',
      ],
      ['[video mp4="https://e.com/v.mp4"][/video]', '[https://e.com/v.mp4](https://e.com/v.mp4)'],
      ['[youtube=https://youtu.be/abc]', '[https://youtu.be/abc](https://youtu.be/abc)'],
      [
        '[code lang="js"]\nif (a &lt; b) {\n\n  c["d"]\n}\n[/code]',
        '```js\nif (a < b) {\n\n  c["d"]\n}\n```',
      ],
      ['[perl]print 1;[/perl]', '```perl\nprint 1;\n```'],
      ['[[gallery]] and <code>[x y="1"]</code>', '\\[gallery] and `[x y="1"]`'],
      ['He [sic] said [1] and [Update: no]', 'He \\[sic] said \\[1] and \\[Update: no]'],
      ['[code][caption]x[/caption][/code]', '```\n[caption]x[/caption]\n```'],
      ['$latex x$ for $5', '$latex x$ for $5'],
    ]
    const { post, report } = await importItems([
      ...bodies.map(([content], at) =>
        item({ 'wp:post_id': `${at + 100}`, 'wp:post_name': `p${at}`, 'content:encoded': content }),
      ),
      attachment('20', 'https://e.com/a.png'),
      // Uploaded to the post with a gallery of its own files.
      attachment('21', 'https://e.com/b.png', '103', 'B'),
    ])
    const [text] = report.entries('left').filter(({ text }) => text.includes('brackets'))
    expect(text?.places).toEqual(['line 145 "Hello" ([sic])', 'line 145 "Hello" ([Update: no])'])
    expect(report.entries('left').map(({ text }) => text)).toContain(
      '`$latex …$`: it stays as text',
    )
    const plain = (text: string) => text.replaceAll('\\&', '&')
    expect(bodies.map((_, at) => plain(post(`p${at}`).body))).toEqual(
      bodies.map(([, body]) => plain(body)),
    )
  })

  it('makes drafts of posts with markup that has no translation, and names the lines', async () => {
    const bodies = ['a\n\n[contact-form-7 id="5"]', 'b\n[vc_row]c[/vc_row]', '[mylist]']
    bodies.push('[gallery]', '[caption]x', 'a [private](b)[/private]')
    bodies.push('<!-- wp:block {"ref":9,"content":{"N":{"content":"Own"}}} /-->')
    const items = bodies.map((content, at) =>
      item({ 'wp:post_id': `${at}`, 'wp:post_name': `p${at}`, 'content:encoded': content }),
    )
    items.push(item({ 'wp:post_id': '9', 'wp:post_type': 'wp_block' }))
    const statuses = ({ post }: Awaited<ReturnType<typeof importItems>>) =>
      bodies.map((_, at) => post(`p${at}`).fields['status'])
    const made = await importItems(items)
    expect(statuses(made)).toEqual(bodies.map(() => 'draft'))
    const [failure] = made.report.entries('failed').filter(({ text }) => text.includes('contact'))
    expect(failure).toMatchObject({
      text: 'The shortcode [contact-form-7] has no translation.',
      // The text begins in line 8 of the file.
      places: ['blog.xml:10 line 5 "Hello"'],
    })
    const kept = await importItems(items, { keepUnknown: true })
    expect([statuses(kept), kept.report.hasFailures]).toEqual([bodies.map(() => undefined), false])
  })

  it('keeps apart an id and a slug that are the same number', async () => {
    const { post } = await importItems([
      item({ 'wp:post_id': '2020' }),
      item({ 'wp:post_id': '11', 'wp:post_name': '2020' }),
    ])
    expect([post('hello').fields['id'], post('2020').fields['id']]).toEqual([undefined, '11'])
  })
})
