import { describe, expect, it } from 'vitest'
import { namesFor } from '../../src/cli/init.ts'
import { identifierProblem } from '../../src/model/identifier.ts'
import fc from '../support/fast-check.ts'

describe('the names of a new project', () => {
  it.each([
    ['/srv/my-site', 'My site', 'my-site', 'my-site'],
    ['/srv/My Blog', 'My Blog', 'my-blog', 'my-blog'],
    ['/srv/release_notes 2', 'Release notes 2', 'release-notes-2', 'release-notes-2'],
    ["/srv/Ada's site!", "Ada's site!", 'adas-site', 'adas-site'],
    ['/srv/日本語', '日本語', '日本語', 'site'],
    ['/srv/Café', 'Café', 'café', 'cafe'],
    ['/srv/con', 'Con', 'con-site', 'con-site'],
    ['/srv/posts', 'Posts', 'posts-site', 'posts-site'],
    ['/srv/---', 'Site', 'site', 'site'],
    ['/srv/v1.2', 'V1.2', 'v1-2', 'v1-2'],
    ['/srv/a\nb', 'A b', 'a-b', 'a-b'],
    ['/', 'Site', 'site', 'site'],
    ['/srv/quarry', 'Quarry', 'quarry', 'quarry-site'],
  ])('come from its folder %j', (folder, name, workspace, packageName) => {
    expect(namesFor(folder, 'quarry')).toEqual({ name, workspace, packageName })
  })

  it('are valid whatever the folder is called', () => {
    const folder = fc.string({ unit: 'binary', maxLength: 300 }).map((text) => `/srv/${text}`)
    fc.assert(
      fc.property(folder, (path) => {
        const { name, workspace, packageName } = namesFor(path, 'quarry')
        expect(identifierProblem(workspace)).toBeNull()
        expect(packageName).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,212}[a-z0-9])?$/)
        expect(packageName).not.toBe('quarry')
        expect(name).toMatch(/^\P{C}+$/u)
      }),
    )
  })
})
