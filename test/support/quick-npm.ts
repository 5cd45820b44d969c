// An `npm` that packs at once: most tests of new projects look at everything but the tarball, which takes npm seconds.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder } from './empty-folder.ts'

/** A `PATH` on which `npm pack` writes an empty tarball; removed when the test ends. */
export function pathWithQuickNpm(): string {
  const folder = emptyFolder({ npm: script })
  chmodSync(join(folder, 'npm'), 0o755)
  return `${folder}:${process.env['PATH']}`
}

const script = `#!/bin/sh
[ "$1" = pack ] || exit 1
for destination; do :; done
: > "$destination/quarry-0.0.0.tgz"
echo '[{ "filename": "quarry-0.0.0.tgz" }]'
`
