// The problems of a refused request, by the field of the form that each belongs to.
// Pure: knows neither the page nor the network.

/** A problem with the value of a field. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** The problems in the body of an error; none for other responses. A refused key has the field `key`. */
export function problemsOf({
  status,
  json,
}: {
  readonly status: number
  readonly json: unknown
}): readonly FieldProblem[] {
  if (status < 400 || typeof json !== 'object' || json === null) return []
  const { message, details } = json as Partial<Record<string, unknown>>
  if (status === 401 || status === 403) return [{ field: 'key', message: String(message ?? '') }]
  return Array.isArray(details) ? details.filter(isProblem).map(asSentence) : []
}

function isProblem(value: unknown): value is FieldProblem {
  const { field, message } = (value ?? {}) as Partial<Record<string, unknown>>
  return typeof field === 'string' && typeof message === 'string'
}

/** `must be a number` becomes `limit must be a number.` */
function asSentence({ field, message }: FieldProblem): FieldProblem {
  return { field, message: `${field} ${message.replace(/\.$/, '')}.` }
}
