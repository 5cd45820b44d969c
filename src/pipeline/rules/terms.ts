// Rule: terms of search, by the hash of their texts.
import type { Memo, StoredRule } from '../../memo/memo.ts'
import type { TermsCache } from '../../snapshot/write.ts'

/** Stores terms in the cache of builds. */
export function termsCache(memo: Memo): TermsCache {
  return {
    get: (key) => memo.find(terms, key),
    set: (key, bytes) => void memo.add(terms, key, { bytes }),
  }
}

const terms: StoredRule<string, Uint8Array> = {
  name: 'terms',
  keyOf: (key) => key,
  valueOf: (record) => record.read('bytes'),
}
