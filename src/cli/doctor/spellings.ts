// Every spelling of the path of a private file that a host might understand.
// Pure: knows neither hosts nor files.

/** Folders under which a careless deployment would show `private/…` or `function/…`. */
const roots = ['', '/dist', '/public', '/static', '/assets']

/**
 * Targets under which a file could be shown by mistake.
 *
 * @param path below the output folder: `private/v2/acme/posts/hello.json`
 * @returns raw targets, unique; each must be answered with no content
 */
export function fileTargets(path: string): readonly string[] {
  const segments = path.split('/').map(encodeURIComponent)
  const whole = `/${segments.join('/')}`
  // Paths of a host whose root is `private` itself, or which copied `private` over `public`.
  const below = `/${segments.slice(1).join('/')}`
  const plain = [...roots.map((root) => `${root}${whole}`), ...(below === '/' ? [] : [below])]
  return [...new Set(plain.flatMap((target) => [target, ...spellings(target)]))]
}

/** A target of the interface and every other way of writing it. */
export function routeTargets(target: string): readonly string[] {
  return [...new Set([target, ...spellings(target)])]
}

/** The other ways of writing a target. */
function spellings(target: string): readonly string[] {
  const [, first = '', ...rest] = target.split('/')
  const tail = rest.join('/')
  const last = rest.at(-1) ?? ''
  const folder = target.slice(0, target.length - last.length)
  return [
    // Encoded, once and twice.
    `/${encodeAll(first)}/${tail}`,
    `${folder}${encodeAll(last)}`,
    `/${first}%2f${tail}`,
    `/${first}%252f${tail}`,
    `/${encodeAll(first).replaceAll('%', '%25')}/${tail}`,
    // Slashes.
    `/${target}`,
    `/${first}//${tail}`,
    `/${first}\\${tail}`,
    `/${first}%5c${tail}`,
    // Dot segments, as they are and encoded.
    `/.${target}`,
    `/${first}/./${tail}`,
    `/v1/..${target}`,
    `/v1/%2e%2e${target}`,
    `/v1/.%2e/${first}/x/..%2f${tail}`,
    `/v1/..%2f${first}/${tail}`,
    `/v1/acme/posts/..;/../../..${target}`,
    // Case.
    `/${first.toUpperCase()}/${tail}`,
    // Trailing things.
    ...['/', '.', '.json', '%20', '%00', '%00.json', ';a=b', '?', '?page=1', '#x', '~', '/.'].map(
      (end) => `${target}${end}`,
    ),
  ]
}

function encodeAll(text: string): string {
  return Array.from(Buffer.from(decodeURIComponent(text)), (byte) => {
    return `%${byte.toString(16).padStart(2, '0')}`
  }).join('')
}
