// The custom fields of a workspace's posts as a TypeScript declaration, for those who read them with the client.
// Knows nothing of the client.
import type { FieldDefinition } from './field-definitions.ts'
import type { WorkspaceShape } from './shape.ts'

/** A module of one type, `Fields`: what `post.fields` is in a workspace. */
export function fieldDeclaration({ id, settings }: WorkspaceShape): string {
  const members = settings.fields.defined.map(member)
  const body = members.length === 0 ? '{}' : `{\n${members.join('')}}`
  return [
    `// Written by \`quarry schema\` from what ${JSON.stringify(id)} defines: run it again when that changes.`,
    '',
    `/** The fields of every post of ${commentText(JSON.stringify(id))}, for \`createClient<Fields>(…)\`. */`,
    `export type Fields = ${body}`,
    '',
  ].join('\n')
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

/** On one line, and without what would end a comment. */
function commentText(text: string): string {
  return text.replace(/\s+/gu, ' ').replaceAll('*/', '*\\/')
}
