// The reference of the command line in Markdown, made from the table of commands.
// Knows nothing of the document around it.
import { type CommandEntry, commands } from '../../src/cli/commands.ts'
import { capitalised, describeFlag } from '../../src/cli/program.ts'

/** The flags and variables of several commands in one list, then a section for each command that does something. */
export function cliReference(): string {
  const all = Object.entries(commands).filter(([, { load }]) => load !== undefined)
  const lines = all.flatMap(([, entry]) => linesOf(entry))
  const shared = lines.filter(
    (line, at) => lines.indexOf(line) === at && lines.lastIndexOf(line) > at,
  )
  const sections = all.map(([path, entry]) => section(`quarry ${path}`, entry, shared))
  return [`${shared.join('\n')}\n`, ...sections].join('\n')
}

function section(path: string, entry: CommandEntry, shared: readonly string[]): string {
  const lines = linesOf(entry)
  const own = lines.filter((line) => !shared.includes(line))
  const others = lines
    .filter((line) => shared.includes(line))
    .map((line) => /`[^` ]+/.exec(line)?.[0])
  const usage = [path, ...(entry.argument ? [placeholder(entry.argument)] : [])].join(' ')
  const paragraphs = [
    `### ${path}`,
    `${capitalised(entry.about)}: \`${usage}\``,
    ...(own.length === 0 ? [] : [own.join('\n')]),
    ...(others.length === 0 ? [] : [`Also ${others.map((name) => `${name}\``).join(', ')}.`]),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

/** Lines of a list: arguments, flags and environment variables. */
function linesOf({ argument, flags = [], variables = [] }: CommandEntry): readonly string[] {
  return [
    ...(argument ? [`- \`${placeholder(argument)}\`: ${capitalised(argument.about)}`] : []),
    ...flags
      .filter(({ isHidden }) => !isHidden)
      .map((flag) => `- \`${flag.words}\`: ${describeFlag(flag)}`),
    ...variables.map(({ env, about }) => `- \`${env}\`: ${about}`),
  ]
}

function placeholder({ words }: { readonly words: string }): string {
  return words.replace('...', '')
}
