import { describe, expect, it } from 'vitest'
import { temporarySite } from '../support/temporary-site.ts'

describe('two workspaces', () => {
  it('are an error when their names differ in case only', async () => {
    const site = temporarySite().write('content/Acme/workspace.yml', 'name: Other\n').post('first')
    expect(await site.problems()).toEqual([
      expect.stringMatching(
        /^acme:1:1 .*duplicate-identifier The workspace's folder name "acme" differs from "Acme" only in case\./,
      ),
    ])
  })
})
