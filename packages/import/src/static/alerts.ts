// Converts notes, tips and warnings of other tools to GitHub alerts.

const types: Readonly<Record<string, string>> = {
  NOTE: 'note info notice seealso primary secondary question example quote abstract',
  TIP: 'tip hint success check',
  IMPORTANT: 'important',
  WARNING: 'warning warn attention pitfall',
  CAUTION: 'danger caution error bug failure',
}

/** The alert for a name: `hint` is `TIP`; undefined for other names. */
export function alertType(name: string): string | undefined {
  return Object.keys(types).find((type) => types[type]?.split(' ').includes(name.toLowerCase()))
}

/** Formats an alert. @param indent white space before every line @param title shown in bold if not empty */
export function alert(type: string, text: string, title = '', indent = ''): string {
  const isPlain = title === '' || title.toLowerCase() === type.toLowerCase()
  const head = isPlain ? [`[!${type}]`] : [`[!${type}]`, `**${title}**`, '']
  const lines = [...head, ...withoutIndent(text, indent).replace(/^\n+/, '').trimEnd().split('\n')]
  return lines.map((line) => `${indent}> ${line}`.trimEnd()).join('\n')
}

function withoutIndent(text: string, indent: string): string {
  if (indent === '') return text
  return text
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n')
}
