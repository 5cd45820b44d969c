// Every spelling of a private file's path that a host might accept.

/** Folders under which a misconfigured deployment would serve `private/…` or `function/…`. */
const roots = ['', '/dist', '/public', '/static', '/assets']

/**
 * Returns targets under which a host could serve a file by mistake.
 *
 * @param path below the output folder: `private/v2/acme/posts/hello.json`
 * @returns raw targets, unique; the response to each must have no content
 */
export function fileTargets(path: string): readonly string[] {
  const segments = path.split('/').map(encodeURIComponent)
  const whole = `/${segments.join('/')}`
  // Paths of a host whose root is `private`, or which copied `private` over `public`.
  const below = `/${segments.slice(1).join('/')}`
  const plain = [...roots.map((root) => `${root}${whole}`), ...(below === '/' ? [] : [below])]
  return [...new Set(plain.flatMap((target) => [target, ...spellings(target)]))]
}

/** Returns a target of the API and all its spellings. */
export function routeTargets(target: string): readonly string[] {
  return [...new Set([target, ...spellings(target)])]
}

/** Returns the other spellings of a target. */
function spellings(target: string): readonly string[] {
  const [, first = '', ...rest] = target.split('/')
  const tail = rest.join('/')
  const last = rest.at(-1) ?? ''
  const folder = target.slice(0, target.length - last.length)
  return [
    // Encoded once and twice.
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
    // Dot segments, plain and encoded.
    `/.${target}`,
    `/${first}/./${tail}`,
    `/v1/..${target}`,
    `/v1/%2e%2e${target}`,
    `/v1/.%2e/${first}/x/..%2f${tail}`,
    `/v1/..%2f${first}/${tail}`,
    `/v1/acme/posts/..;/../../..${target}`,
    // Case.
    `/${first.toUpperCase()}/${tail}`,
    // Suffixes.
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
