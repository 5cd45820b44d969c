// The project as somebody finds it who has just cloned it: the files that git knows, and nothing that was
// installed or built. Knows nothing of what is done with it.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A folder with the project's own files, those not yet committed too. */
export function freshClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-clone-'))
  const list = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of list
    .split('\0')
    .filter((name) => existsSync(join(root, name)) && name !== '')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(root, file), join(folder, file))
  }
  return folder
}
