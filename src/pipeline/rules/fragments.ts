// Rules: fragments of a chunk of posts, and the entity tags of the responses with a single post of the chunk.
import type { FragmentStore, StoredKind } from '../../emit/post-fragments.ts'
import type { Memo, StoredRule } from '../../memo/memo.ts'

/** Stores sizes and digests of a chunk's fragments, and its entity tags: `FragmentRows`, `TagRows`. */
export function fragmentStore(memo: Memo): FragmentStore {
  return {
    find: (kind, input) => memo.find(rules[kind], input),
    add: (kind, input, bytes) => void memo.add(rules[kind], input, { rows: bytes }),
  }
}

const rules: Readonly<Record<StoredKind, StoredRule<string, Uint8Array>>> = {
  fragments: rowsRule('fragments'),
  'entity tags': rowsRule('entity tags'),
}

function rowsRule(name: StoredKind): StoredRule<string, Uint8Array> {
  return { name, keyOf: (input) => input, valueOf: (record) => record.read('rows') }
}
