// The completion script for zsh, with descriptions.
import { type CommandNode, flagsWith, flagsWithChoices, type Value } from './tree.ts'

/** Returns a script to be sourced, or to be saved as `_quarry` in a folder of `fpath`. */
export function zshScript(nodes: readonly CommandNode[]): string {
  return `#compdef quarry
# zsh completion for quarry.
_quarry() {
  local at=quarry skip='' flag='' word
  local -i index
  local -a candidates
  for ((index = 2; index < CURRENT; index++)); do
    word=\${words[index]}
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$at $word" in
${arm(
  nodes.map(({ path }) => path).filter((path) => path.includes(' ')),
  'at="$at $word"',
)}
${arm(
  flagsWith(nodes, () => true),
  'skip=1',
)}
    esac
  done
  if [[ -n $skip ]]; then
    flag=\${words[CURRENT-1]}
  elif [[ \${words[CURRENT]} == --*=* ]]; then
    flag=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  case "$at $flag" in
${flagsWithChoices(nodes)
  .map(([name, choices]) => arm([name], `compadd -- ${choices.join(' ')}; return`))
  .join('\n')}
${arm(
  flagsWith(nodes, (value) => value === 'folder'),
  '_files -/; return',
)}
${arm(
  flagsWith(nodes, (value) => value === 'file'),
  '_files; return',
)}
${arm(
  flagsWith(nodes, (value) => value === 'text'),
  'return',
)}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$at" in
${nodes.map((node) => arm([node.path], describe(flagsOf(node), '-o'))).join('\n')}
    esac
    return
  fi
  case "$at" in
${nodes.map((node) => arm([node.path], wordsOf(node))).join('\n')}
  esac
}
if [[ \${funcstack[1]} == _quarry ]]; then
  _quarry "$@"
else
  compdef _quarry quarry
fi
`
}

function wordsOf(node: CommandNode): string {
  if (node.commands.length > 0) {
    return describe(node.commands.map(({ name, description }) => [name, description]))
  }
  return argumentWords(node.argument) ?? describe(flagsOf(node), '-o')
}

function argumentWords(argument: Value): string | null {
  if (typeof argument !== 'string') return `compadd -- ${argument.join(' ')}`
  if (argument === 'folder') return '_files -/'
  return argument === 'text' ? ':' : null
}

function flagsOf({ flags }: CommandNode): readonly (readonly [string, string])[] {
  return flags.map(({ long, description }) => [long, description])
}

function describe(words: readonly (readonly [string, string])[], how = ''): string {
  const candidates = words.map(([name, text]) => quoted(`${name}:${text}`))
  return `candidates=(${candidates.join(' ')}); _describe ${how} quarry candidates`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function arm(patterns: readonly string[], command: string): string {
  if (patterns.length === 0) return '      # none'
  return `      ${patterns.map((pattern) => `'${pattern}'`).join('|')}) ${command} ;;`
}
