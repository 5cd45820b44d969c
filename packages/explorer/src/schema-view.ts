// The view of the schema of a response.
import { element, textWithCode } from './element.ts'
import { type ApiOperation, type OpenApi, resolveSchema, type Schema } from './operations.ts'

/** Returns the fields and the statuses of an operation's response, initially folded. */
export function schemaView(operation: ApiOperation, document: OpenApi): HTMLElement {
  const body = operation.responses.find(({ status }) => status === '200')?.schema
  return element(
    'div',
    { class: 'schema' },
    body ? disclosure('Fields of the response', () => fieldsOf(body, document)) : null,
    disclosure('Statuses', () => statuses(operation)),
  )
}

function statuses({ responses }: ApiOperation): HTMLElement {
  return element(
    'dl',
    {},
    responses.map(({ status, description }) =>
      element(
        'div',
        {},
        element('dt', {}, status),
        element('dd', {}, textWithCode(description.replace(/\.$/, ''))),
      ),
    ),
  )
}

function fieldsOf(schema: Schema, document: OpenApi): HTMLElement {
  const all = Object.entries(resolveSchema(schema, document).properties ?? {})
  return element(
    'dl',
    {},
    all.map(([name, property]) => {
      const { description = '' } = property
      const inner = innerSchema(property, document)
      return element(
        'div',
        {},
        element('dt', {}, name, element('span', { class: 'type' }, typeName(property, document))),
        element(
          'dd',
          {},
          textWithCode(description),
          inner === null
            ? null
            : disclosure('Fields', () => fieldsOf(inner, document), all.length === 1),
        ),
      )
    }),
  )
}

/** Returns a disclosure. Its content is made when it is first opened, because schemas may be recursive. */
function disclosure(label: string, content: () => HTMLElement, isOpen = false): HTMLElement {
  const made = element('details', { open: isOpen }, element('summary', {}, label))
  made.addEventListener('toggle', () => made.append(content()), { once: true })
  return made
}

function innerSchema(schema: Schema, document: OpenApi): Schema | null {
  const inner = resolveSchema(schema.items ?? schema, document)
  return inner.properties === undefined ? null : inner
}

function typeName(schema: Schema, document: OpenApi): string {
  if (schema.items !== undefined) return `list of ${typeName(schema.items, document)}s`
  const { type, format } = resolveSchema(schema, document)
  const names = typeof type === 'string' ? [type] : (type ?? ['value'])
  return (format === 'date-time' ? ['date'] : names).join(' or ')
}
