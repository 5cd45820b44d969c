import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/support/command-call.ts'
import { emptyFolder } from '../../../../test/support/empty-folder.ts'

const post = (title: string, body = 'Text.') => `---\ntitle: ${title}\n---\n${body}\n`

async function importJekyll(files: Record<string, string>, prepare?: (folder: string) => void) {
  const folder = emptyFolder(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`site/${path}`, text])),
  )
  prepare?.(folder)
  const result = await call(folder, ['import', 'jekyll', 'site', '--workspace', 'blog'])
  const posts = join(folder, 'content/blog/posts')
  return { ...result, folder, posts: existsSync(posts) ? readdirSync(posts).sort() : [] }
}

describe('a hostile source', () => {
  it('gives nothing through a symbolic link', async () => {
    const { posts, stdout, folder, exitCode } = await importJekyll(
      { '_posts/2026-01-01-one.md': post('One', '![x](/img/key.png)') },
      (folder) => {
        const secret = emptyFolder({ 'secret.md': post('Secret'), 'key.png': 'secret' })
        symlinkSync(join(secret, 'secret.md'), join(folder, 'site/_posts/2026-01-02-two.md'))
        symlinkSync(secret, join(folder, 'site/img'))
      },
    )
    expect({ posts, exitCode }).toEqual({ posts: ['one.md'], exitCode: 0 })
    expect(stdout).toContain('2  symbolic link: not followed')
    expect(existsSync(join(folder, 'content/blog/media'))).toBe(false)
  })

  it('has its broken and huge files reported with their places, and the others written', async () => {
    const { posts, stdout, exitCode, folder } = await importJekyll({
      '_posts/2026-01-01-one.md': post('One'),
      '_posts/2026-01-02-two.md': '---\ntitle: "no end\n---\nText.\n',
      '_posts/2026-01-03-three.md': post('Three', 'x'.repeat(1024 * 1024)),
      '_posts/2026-01-04-four.md': post('Four', 'One.\n\n{% for x in (1..2) %}{{ x }}'),
      '_posts/2026-01-05-five.md': post('Five', '{% for x in (1..100000000) %}{{ x }}{% endfor %}'),
    })
    const names = ['five.md', 'four.md', 'one.md', 'two.md']
    expect({ posts, exitCode }).toEqual({ posts: names, exitCode: 1 })
    const statusOf = (name: string) =>
      /^status: .*$/m.exec(readFileSync(join(folder, 'content/blog/posts', name), 'utf8'))?.[0]
    expect(names.map(statusOf)).toEqual([
      'status: draft',
      'status: draft',
      undefined,
      'status: draft',
    ])
    expect(stdout).toContain('_posts/2026-01-02-two.md:2:8')
    expect(stdout).toContain('_posts/2026-01-03-three.md\n')
    expect(stdout).toContain('_posts/2026-01-04-four.md:6:1')
    expect(stdout).toContain('_posts/2026-01-05-five.md:')
  })

  it('reads no include, image or data from outside', async () => {
    const { stdout, folder } = await importJekyll(
      {
        '_posts/2026-01-01-one.md': post(
          'One',
          '![a](/../../key.png) ![b](../../key.png) <img src="../../../key.png">',
        ),
        '_posts/2026-01-02-two.md': post('Two', '{% include ../../key.png %}'),
      },
      (folder) => mkdirSync(join(folder, 'site/_includes')),
    )
    expect(existsSync(join(folder, 'content/blog/media'))).toBe(false)
    expect(stdout).toContain('_posts/2026-01-02-two.md:4:1')
  })

  it('becomes no slug, field or path that is dangerous', async () => {
    const { posts, folder } = await importJekyll({
      '_posts/2026-01-01-one.md':
        '---\ntitle: One\npermalink: /a/../../../etc/passwd\nconstructor: x\nfields: y\ntags: ["../x", con]\n---\nText.\n',
      '_posts/2026-01-02-con.md': post('Con'),
    })
    expect(posts).toEqual(['con-post.md', 'passwd.md'])
    expect(readdirSync(join(folder, 'content/blog/tags')).sort()).toEqual(['term-con.md', 'x.md'])
    expect(readFileSync(join(folder, 'content/blog/posts/passwd.md'), 'utf8')).not.toContain(
      'constructor',
    )
  })

  it('gives no post without its text', async () => {
    const { posts, stdout, exitCode, folder } = await importJekyll({
      '_posts/2026-01-01-one.md': post('One', '{% if page.nothing %}All of it.{% endif %}'),
      '_posts/2026-01-02-two.md': '---\ntitle: Empty\n---\n',
    })
    expect({ posts, exitCode }).toEqual({ posts: ['one.md', 'two.md'], exitCode: 1 })
    expect(stdout).toContain('nothing of the body is left: _posts/2026-01-01-one.md')
    expect(readFileSync(join(folder, 'content/blog/posts/one.md'), 'utf8')).toContain(
      'status: draft',
    )
  })

  it('that is no site is wrong use', async () => {
    const { exitCode, stderr } = await importJekyll({ 'readme.txt': 'Hello.' })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('has no folder _posts')
  })
})
