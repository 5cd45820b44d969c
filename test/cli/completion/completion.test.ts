import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bashScript } from '../../../src/cli/completion/bash.ts'
import { fishScript } from '../../../src/cli/completion/fish.ts'
import { shells } from '../../../src/cli/completion/shells.ts'
import { commandNodes } from '../../../src/cli/completion/tree.ts'
import { zshScript } from '../../../src/cli/completion/zsh.ts'
import { createProgram } from '../../../src/cli/program.ts'
import { call } from '../../support/command-call.ts'
import { emptyFolder } from '../../support/empty-folder.ts'
import { onTerminal } from '../../support/pseudo-terminal.ts'

const nodes = commandNodes(createProgram())
const scripts = { bash: bashScript(nodes), zsh: zshScript(nodes), fish: fishScript(nodes) }

/** What is typed, each word by itself, and what may stand in the place of the last one. */
const cases: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['quarry', 'bui'], ['build']],
  [['quarry', 'ke'], ['keys']],
  [
    ['quarry', 'keys', ''],
    ['create', 'list', 'revoke', 'help'],
  ],
  [['quarry', 'keys', 'create', '--wo'], ['--workspace']],
  [
    ['quarry', 'init', '--template', ''],
    ['blog', 'docs', 'changelog'],
  ],
  [['quarry', 'check', '--format', 'g'], ['github']],
  [['quarry', 'check', '--config', 'keys', '--for'], ['--format']],
  [
    ['quarry', 'completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['quarry', 'build', '--port'], []],
  [['quarry', 'build', '--out', 'one'], ['one two']],
]

/** Folders that are offered where one is wanted. */
function folder(): string {
  return emptyFolder({ 'one two/x': '', 'other/x': '', onefile: '' })
}

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('quarry completion', () => {
  it.each(shells)('prints a script for %s that knows every command and flag', async (shell) => {
    const { exitCode, stdout, stderr } = await call(folder(), ['completion', shell])
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: scripts[shell],
      stderr: '',
    })
    for (const { path, flags } of nodes) {
      expect(stdout).toContain(path)
      for (const { long } of flags) expect(stdout).toContain(long.replace(/^--/, ''))
    }
  })

  it('says which shells there are', async () => {
    const { exitCode, stderr } = await call(folder(), ['completion', 'tcsh'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Allowed choices are bash, zsh, fish')
  })
})

describe('in bash', () => {
  it.each([
    ...cases,
    // As bash hands over `--format=`, `--format=j` and `--out=o`.
    [
      ['quarry', 'check', '--format', '='],
      ['text', 'json', 'github'],
    ],
    [['quarry', 'check', '--format', '=', 'j'], ['json']],
    [['quarry', 'build', '--out', '=', 'x', '--qu'], ['--quiet']],
  ] as const)('offers for %j', (words, offered) => {
    const typed = words.map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _quarry; printf '%s\\n' "\${COMPREPLY[@]}"`
    const command = `source /dev/stdin <<'END'\n${scripts.bash}\nEND\n${ask}`
    const output = execFileSync('bash', ['-c', command], { cwd: folder(), encoding: 'utf8' })
    expect(output.split('\n').filter((line) => line !== '')).toEqual(offered)
  })
})

describe.skipIf(!isInstalled('fish'))('in fish', () => {
  it.each(cases.slice(0, -1))('offers for %j', (words, offered) => {
    const command = `source (echo ${quotedForFish(scripts.fish)} | psub); complete -C '${words.join(' ')}'`
    const output = execFileSync('fish', ['--no-config', '-c', command], { encoding: 'utf8' })
    const found = output.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0]]))
    expect(found.sort()).toEqual([...offered].sort())
  })
})

describe.each([
  ['bash', 'bash --norc --noprofile -i', ''],
  ['zsh', 'zsh -f -i', 'autoload -U compinit; compinit -D -u; '],
] as const)('typed in a real %s', (shell, command, preparation) => {
  it.skipIf(!isInstalled(shell)).each([
    ['quarry bu\t', 'build'],
    ['quarry keys c\t--wo\tacme', 'keys create --workspace acme'],
    ['quarry check --format gi\t--conf\tx', 'check --format github --config x'],
    ['quarry build --out=one\t', 'build --out=one two'],
  ])('%j becomes quarry %s', async (keys, expected) => {
    const place = folder()
    const script = join(emptyFolder({ script: scripts[shell] }), 'script')
    // A function in the place of the command shows what it was given.
    const show = 'quarry() { printf "G%s[%s]\\n" OT "$*"; }'
    const { shown } = await onTerminal(
      place,
      command,
      [
        ['$ ', `PS1='$ '; ${preparation}source ${script}; ${show}; echo RE''ADY\r`],
        ['READY', `${keys}\r`],
        ['GOT[', 'exit\r'],
      ],
      { PS1: '$ ' },
    )
    // zsh takes the slash behind a folder away again.
    expect(/GOT\[([^\]]*?)[ /]*\]/.exec(shown)?.[1]).toBe(expected)
  })
})

function quotedForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
