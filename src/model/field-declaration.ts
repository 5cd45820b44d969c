// Names and custom fields of a workspace as a TypeScript declaration, for users of the client.

import { type ResourceKind, resourceKinds } from '../api/resources.ts'
import type { FieldDefinition } from './field-definitions.ts'
import type { PublishedSlugs, WorkspaceShape } from './shape.ts'

/** Maximum size of a union of names; larger ones become `string`. TypeScript is slow with them, and rejects 100,000. */
const namesMax = 10_000

/** Returns a module of two types: `Fields` is the type of `post.fields`, and `Site` adds the slugs. */
export function siteDeclaration({ id, settings }: WorkspaceShape, slugs: PublishedSlugs): string {
  const members = settings.fields.defined.map(member)
  const body = members.length === 0 ? '{}' : `{\n${members.join('')}}`
  return [
    `// Written by \`quarry schema\` from what ${JSON.stringify(id)} defines: run it again when that changes.`,
    '',
    `/** The fields of every post of ${commentText(JSON.stringify(id))}. */`,
    `export type Fields = ${body}`,
    '',
    '/** Its slugs and fields, for `createClient<Site>(…)`. */',
    'export interface Site {',
    ...resourceKinds.map((kind) => `  readonly ${kind}: ${namesOf(kind, slugs)}`),
    `  readonly fields: ${members.length === 0 ? 'undefined' : 'Fields'}`,
    '}',
    '',
  ].join('\n')
}

function namesOf(kind: ResourceKind, slugs: PublishedSlugs): string {
  const names = slugs[kind]
  if (names.length > namesMax) return 'string'
  const lines = names.map((name) => `\n    | ${JSON.stringify(name)}`)
  return lines.length === 0 ? 'never' : lines.join('')
}

function member(definition: FieldDefinition): string {
  const { name, label, description, isRequired, default: given } = definition
  const about = [label, description].filter((text) => text !== null).join(': ')
  const comment = about === '' ? '' : `  /** ${commentText(about)} */\n`
  const isNever = isRequired || given !== null
  return `${comment}  readonly ${JSON.stringify(name)}: ${typeOf(definition)}${isNever ? '' : ' | null'}\n`
}

function typeOf({ type, options }: FieldDefinition): string {
  const choice = options.map((option) => JSON.stringify(option)).join(' | ')
  if (type === 'number' || type === 'boolean') return type
  if (type === 'select') return choice
  if (type !== 'list') return 'string'
  return choice === '' ? 'readonly string[]' : `readonly (${choice})[]`
}

/** Makes text safe for a comment: one line, without the end of a comment. */
function commentText(text: string): string {
  return text.replace(/\s+/gu, ' ').replaceAll('*/', '*\\/')
}
