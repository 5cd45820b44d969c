// The kinds of measured builds. They differ in the change that is made to a project before the build.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Contender, putAside } from './contenders.ts'

/** A kind of build and its preparation. Each follows the previous one. */
interface BuildKind {
  readonly name: string
  readonly prepare: (contender: Contender, post: string, round: number) => void
}

/** Kinds of builds, in the order of measurement. */
export const buildKinds: readonly BuildKind[] = [
  { name: 'cold', prepare: (one) => forget(one, [...one.output, ...one.memory]) },
  { name: 'none', prepare: () => {} },
  {
    name: 'body',
    prepare: (one, post, round) => appendFileSync(one.fileOf(post), `\nOne more line, ${round}.\n`),
  },
  {
    name: 'title',
    prepare: (one, post, round) =>
      rewrite(one, post, post, (text) => text.replace(/^title: .*$/m, `title: Edited ${round}`)),
  },
  {
    name: 'new',
    prepare: (one, post) =>
      rewrite(one, post, `${post}-new`, (text) => text.replace(/^slug: .*$/m, 'slug: new-post')),
  },
  { name: 'removed', prepare: (one, post) => rmSync(one.fileOf(`${post}-new`)) },
  { name: 'restored', prepare: (one) => forget(one, one.output) },
]

function forget({ command }: Contender, names: readonly string[]): void {
  putAside(command.folder, names)
}

function rewrite(
  { fileOf }: Contender,
  from: string,
  to: string,
  edit: (text: string) => string,
): void {
  writeFileSync(fileOf(to), edit(readFileSync(fileOf(from), 'utf8')))
}
