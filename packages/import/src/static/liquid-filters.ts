// Jekyll's Liquid filters.
import type { Liquid } from 'liquidjs'
import { slugify, UseError } from 'quarry/authoring'
import { linkTo, pageOf } from './embeds.ts'
import { readMoment } from './moments.ts'

/** @param base the path at which the site is served */
export function addJekyllFilters(engine: Liquid, base: string): void {
  const relative = (path: unknown) => joined(base, String(path ?? ''))
  const filters: Readonly<Record<string, (value: unknown, ...args: unknown[]) => unknown>> = {
    relative_url: relative,
    // The site's own origin is irrelevant for a content API.
    absolute_url: relative,
    url: relative,
    markdownify: same,
    smartify: same,
    // Line breaks would end an HTML block.
    normalize_whitespace: (value) =>
      String(value ?? '')
        .replace(/\s+/g, ' ')
        .trim(),
    slugify: (value) => slugify(String(value ?? '')),
    slug: (value) => slugify(String(value ?? '')),
    xml_escape: escaped,
    cgi_escape: (value) => encodeURIComponent(String(value ?? '')),
    uri_escape: (value) => encodeURI(String(value ?? '')),
    jsonify: (value) => JSON.stringify(value) ?? '',
    number_of_words: (value) =>
      String(value ?? '')
        .trim()
        .split(/\s+/).length,
    array_to_sentence_string: (value) => sentence(Array.isArray(value) ? value.map(String) : []),
    date_to_xmlschema: (value) => readMoment(String(value)) ?? value,
    date_to_rfc822: (value) => readMoment(String(value)) ?? value,
    date_to_string: (value) => readMoment(String(value))?.slice(0, 10) ?? value,
    date_to_long_string: (value) => readMoment(String(value))?.slice(0, 10) ?? value,
    strip_index: (value) => String(value ?? '').replace(/index\.html?$/, ''),
    inspect: (value) => JSON.stringify(value) ?? '',
    to_integer: (value) => Number.parseInt(String(value), 10),
    safe: same,
    embed: (value) => linkTo(pageOf(String(value ?? ''))),
  }
  for (const [name, filter] of Object.entries(filters)) engine.registerFilter(name, filter)
}

/**
 * Adds filters from the command line, in place of those that a program of the site defines.
 *
 * @param templates Liquid templates by filter name; `value` is the input, `arguments` the list after the colon
 * @param globals other variables
 * @throws UseError for a template that is invalid Liquid
 */
export function addTemplateFilters(
  engine: Liquid,
  templates: ReadonlyMap<string, string>,
  globals: object,
): void {
  for (const [name, template] of templates) {
    const parsed = parsedTemplate(engine, name, template)
    engine.registerFilter(name, (value: unknown, ...args: unknown[]) => {
      const scope = { value, arguments: args }
      const all = Object.defineProperties(scope, Object.getOwnPropertyDescriptors(globals))
      return engine.renderSync(parsed, all)
    })
  }
}

function parsedTemplate(engine: Liquid, name: string, template: string) {
  try {
    return engine.parse(template)
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new UseError(`--template ${name} is no Liquid: ${reason}.`)
  }
}

function same(value: unknown): unknown {
  return value
}

function joined(base: string, path: string): string {
  if (/^[a-z]+:\/\//i.test(path)) return path
  const whole = `${base}/${path}`.replace(/\/{2,}/g, '/')
  return whole.startsWith('/') ? whole : `/${whole}`
}

function escaped(value: unknown): string {
  const signs: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return String(value ?? '').replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)
}

function sentence(words: readonly string[]): string {
  if (words.length < 3) return words.join(' and ')
  return `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`
}
