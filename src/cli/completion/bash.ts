// The completion script for bash, including bash 3.2 of macOS.
import { type CommandNode, flagsWith, flagsWithChoices, type Value } from './tree.ts'

/** Returns a script to be sourced. */
export function bashScript(nodes: readonly CommandNode[]): string {
  return `# bash completion for quarry.
_quarry() {
  local IFS=$'\\n'
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local at=quarry skip= word index
  # bash hands --flag=value over as three words.
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ $word == '=' ]]; then skip=1; continue; fi
    if [[ -n $skip ]]; then skip=; continue; fi
    case "$at $word" in
${arm(commandPaths(nodes), 'at="$at $word"')}
${arm(
  flagsWith(nodes, () => true),
  'skip=1',
)}
    esac
  done
  COMPREPLY=()
  case "$at $previous" in
${flagsWithChoices(nodes)
  .map(([flag, choices]) => arm([flag], `${reply(choices)}; return`))
  .join('\n')}
${arm(
  flagsWith(nodes, (value) => value === 'folder'),
  `${folders}; return`,
)}
${arm(
  flagsWith(nodes, (value) => value === 'file'),
  `${files}; return`,
)}
${arm(
  flagsWith(nodes, (value) => value === 'text'),
  'return',
)}
  esac
  if [[ $current == -* ]]; then
    case "$at" in
${nodes.map(({ path, flags }) => arm([path], reply(flags.map(({ long }) => long)))).join('\n')}
    esac
    return
  fi
  case "$at" in
${nodes.map((node) => arm([node.path], wordsOf(node))).join('\n')}
  esac
}
complete -F _quarry quarry
`
}

const folders = 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current"))'
const files = 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"))'

/** Completions of a word that is not a flag; flags only if there is nothing else. */
function wordsOf({ commands, flags, argument }: CommandNode): string {
  if (commands.length > 0) return reply(commands.map(({ name }) => name))
  return argumentReply(argument) ?? reply(flags.map(({ long }) => long))
}

function argumentReply(argument: Value): string | null {
  if (typeof argument !== 'string') return reply(argument)
  if (argument === 'folder') return folders
  return argument === 'text' ? ':' : null
}

function reply(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W $'${words.join('\\n')}' -- "$current"))`
}

/** Paths of subcommands. */
function commandPaths(nodes: readonly CommandNode[]): readonly string[] {
  return nodes.flatMap(({ path }) => (path.includes(' ') ? [path] : []))
}

/** Returns an arm of a `case`; a comment if there are no patterns. */
function arm(patterns: readonly string[], command: string): string {
  if (patterns.length === 0) return '      # none'
  return `      ${patterns.map((pattern) => `'${pattern}'`).join('|')}) ${command} ;;`
}
