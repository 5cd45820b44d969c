// Converts notes, tips and warnings of other tools to GitHub alerts.

const types: Readonly<Record<string, string>> = {
  ...{
    note: 'NOTE',
    info: 'NOTE',
    notice: 'NOTE',
    hint: 'TIP',
    seealso: 'NOTE',
    primary: 'NOTE',
    secondary: 'NOTE',
  },
  ...{
    tip: 'TIP',
    success: 'TIP',
    check: 'TIP',
    question: 'NOTE',
    example: 'NOTE',
    quote: 'NOTE',
    abstract: 'NOTE',
  },
  ...{
    important: 'IMPORTANT',
    warning: 'WARNING',
    warn: 'WARNING',
    attention: 'WARNING',
    pitfall: 'WARNING',
  },
  ...{
    danger: 'CAUTION',
    caution: 'CAUTION',
    error: 'CAUTION',
    bug: 'CAUTION',
    failure: 'CAUTION',
  },
}

/** The alert for a name: `tip` is `TIP`; undefined for other names. */
export function alertType(name: string): string | undefined {
  return Object.hasOwn(types, name.toLowerCase()) ? types[name.toLowerCase()] : undefined
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
