// The cache of a site after many edits.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporarySite } from '../support/temporary-site.ts'

it('forgets bodies that no post has, once they are the larger part', async () => {
  const site = temporarySite({ cache: 'cache' })
  const count = () => readdirSync(join(site.folder, 'cache/bodies')).length
  const counts: number[] = []
  for (let edit = 0; edit < 12; edit++) {
    for (let number = 0; number < 20; number++)
      site.post(`post-${number}`, {}, `${edit} ${number}\n`)
    await site.build()
    counts.push(count())
  }
  expect(counts).toEqual([20, 40, 60, 80, 100, 120, 140, 20, 40, 60, 80, 100])
})
