import { describe, expect, it } from 'vitest'
import { type SectionTable, SectionWriter } from '../../src/query/sections.ts'
import { readIndex, writeIndex } from '../../src/query/workspace-index.ts'
import { workspaces } from '../support/arbitraries.ts'
import fc from '../support/fast-check.ts'
import { indexOf, inPostOrder, type SampleWorkspace } from '../support/sample-workspace.ts'

describe('the index of a workspace', () => {
  it('is read back as it was written, behind whatever else the file holds', () => {
    fc.assert(
      fc.property(workspaces, fc.uint8Array({ maxLength: 9 }), (workspace, other) => {
        const { index, sections, table } = write(workspace, other)
        const fields = workspace.indexed?.map(({ name }) => name)
        expect(readIndex(sections, table, fields)).toEqual(index)
      }),
      { numRuns: 200 },
    )
  })

  it('is refused where a section is missing, of another type or out of the file', () => {
    const { sections, table } = write({ posts: [], categories: [], tags: [], authors: [] })
    for (const [name, entry] of Object.entries(table)) {
      const { [name]: _, ...less } = table
      const other = entry.type === 'u8' ? 'u32' : 'u8'
      const wrong = [
        less,
        { ...table, [name]: { ...entry, type: other } },
        { ...table, [name]: { ...entry, length: entry.length + 1000 } },
      ] as const
      for (const table of wrong) expect(() => readIndex(sections, table), name).toThrow(RangeError)
    }
  })

  it('names its sections in a table that survives JSON', () => {
    const { sections, table } = write({ posts: [], categories: [], tags: [], authors: [] })
    const stored = JSON.parse(JSON.stringify(table)) as SectionTable
    expect(readIndex(sections, stored)).toEqual(readIndex(sections, table))
  })
})

function write(workspace: SampleWorkspace, other = new Uint8Array(0)) {
  const writer = new SectionWriter()
  writer.add(other)
  const index = indexOf(inPostOrder(workspace.posts), workspace)
  const table = writeIndex(index, writer)
  return { index, table, sections: writer.finish() }
}
