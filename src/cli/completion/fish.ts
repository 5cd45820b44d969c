// The completion script for fish, with descriptions.
import { type CommandNode, type Flag, flagsWith, type Value } from './tree.ts'

/** Returns a script to be sourced, or to be saved as `quarry.fish` in `~/.config/fish/completions`. */
export function fishScript(nodes: readonly CommandNode[]): string {
  const below = nodes.map(({ path }) => path).filter((path) => path.includes(' '))
  return `# fish completion for quarry.
function __quarry_at
    set -l at quarry
    set -l skip no
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if test $skip = yes
            set skip no
            continue
        end
        switch "$at $word"
            case ${below.map(quoted).join(' ')}
                set at "$at $word"
            case ${flagsWith(nodes, () => true)
              .map(quoted)
              .join(' ')}
                set skip yes
        end
    end
    test "$at" = "$argv"
end
complete -c quarry -f
${nodes.flatMap(linesOf).join('\n')}
`
}

function linesOf(node: CommandNode): readonly string[] {
  const start = `complete -c quarry -n ${quoted(`__quarry_at ${node.path}`)}`
  const words = argumentWords(node.argument)
  return [
    ...node.commands.map(
      ({ name, description }) => `${start} -a ${name} -d ${quoted(description)}`,
    ),
    ...(words === null ? [] : [`${start} -a ${quoted(words)}`]),
    ...node.flags.map((flag) => `${start} ${flagWords(flag)}`),
  ]
}

function flagWords({ long, short, description, value }: Flag): string {
  const names = [`-l ${long.slice(2)}`, ...(short === null ? [] : [`-s ${short.slice(1)}`])]
  return [...names, ...valueWords(value), `-d ${quoted(description)}`].join(' ')
}

function valueWords(value: Value): readonly string[] {
  if (value === 'none') return []
  if (value === 'file') return ['-r', '-F']
  const words = argumentWords(value)
  return words === null ? ['-x'] : ['-x', `-a ${quoted(words)}`]
}

function argumentWords(value: Value): string | null {
  if (typeof value !== 'string') return value.join(' ')
  return value === 'folder' ? '(__fish_complete_directories)' : null
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
