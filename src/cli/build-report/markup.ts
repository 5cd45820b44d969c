// HTML templates that escape every value, except markup.

/** A fragment of HTML. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Values of a template; `null`, `undefined` and `false` are empty. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[]

/** Tags an HTML template. Values are escaped for text and for quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const text = parts.map((part, index) => part + render(values[index])).join('')
  return new Markup(text)
}

function render(value: Content): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map(render).join('')
  return escapeHtml(String(value))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
