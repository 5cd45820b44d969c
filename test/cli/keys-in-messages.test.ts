import { describe, expect, it } from 'vitest'
import { encodeKey } from '../../src/runtime/keys.ts'
import { call } from '../support/command-call.ts'
import { temporarySite } from '../support/temporary-site.ts'

const key = encodeKey(new Uint8Array(32).fill(42))

/** Where somebody may put their key by mistake. */
const mistakes: readonly (readonly string[])[] = [
  [key],
  ['build', key],
  ['build', '--config', key],
  ['build', '--content', key],
  ['serve', '--port', key],
  ['serve', `--host=${key}`, '--port', '0'],
  ['check', '--format', key],
  ['init', key],
  ['explain', `/v2/posts?key=${key}`],
  ['explain', '/v2/posts', '--key', key],
  ['keys', key],
  ['keys', 'create', '--workspace', key],
  ['keys', 'create', '--workspace', 'acme', '--scopes', key],
  ['keys', 'create', '--workspace', 'acme', '--expires', key],
  ['keys', 'revoke', '--workspace', 'acme', key],
  ['keys', 'list', '--workspace', key],
]

describe('a key among the words of a command', () => {
  it.each(mistakes.map((words) => [words.join(' ').replace(key, 'KEY'), words]))(
    'is not repeated by quarry %s',
    async (_, words) => {
      const site = temporarySite().post('first')
      const { exitCode, stdout, stderr } = await call(site.folder, words)
      expect(exitCode).toBe(2)
      expect(`${stdout}${stderr}`).not.toContain(key.slice(0, 16))
      expect(stderr).not.toBe('')
    },
  )
})
