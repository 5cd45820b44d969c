// What is read to make the function's files.
// Knows nothing of what is in them.
import { expect, it } from 'vitest'
import type { BundleFile } from '../../src/emit/blocks.ts'
import { Bundle } from '../../src/emit/bundle.ts'
import { temporarySite } from '../support/temporary-site.ts'

it('reads each piece of a block once, and none of a block that was made before', async () => {
  const { workspaces, memo } = await temporarySite().posts(3).load()
  const [only] = workspaces
  if (only === undefined) return expect.unreachable('no workspace')
  const read: string[] = []
  const snapshot = {
    ...only.snapshot,
    read: (ref: Parameters<typeof only.snapshot.read>[0]) => {
      read.push(JSON.stringify(ref))
      return only.snapshot.read(ref)
    },
  }
  const input = {
    workspace: only.workspace,
    snapshot,
    assets: { media: [], fields: [] },
    scheduled: 0,
  }
  const bytesOf = ({ bytes }: BundleFile) => Buffer.from(bytes() as Uint8Array)
  const made = [...new Bundle(memo, { limitAll: true }).add(input)].map(bytesOf)
  // Five parts a post.
  expect(read).toHaveLength(15)
  expect(new Set(read).size).toBe(15)
  const again = [...new Bundle(memo, { limitAll: true }).add(input)]
  expect(read).toHaveLength(15)
  expect(again.map(bytesOf)).toEqual(made)
})
