// The function of a site on a host that has only files. It is loaded with the first request that has no file.

/** The function that `quarry-function.js` of a build exports. */
export interface SiteFunction {
  (request: Request): Promise<Response>
  sync(workspace: string): Promise<void>
}

const loaded = new Map<string, Promise<SiteFunction>>()

/**
 * Returns the function of a site.
 *
 * @param url URL of the folder that contains the site, with a slash at its end
 * @throws the platform's error if it cannot be loaded; the next call tries again
 */
export function functionOf(url: string, ask: typeof fetch | undefined): Promise<SiteFunction> {
  const known = loaded.get(url)
  if (known !== undefined) return known
  const found = load(`${url}quarry-function.js`, ask).then((module) =>
    module.default({ base: url, ...(ask && { fetch: ask }) }),
  )
  loaded.set(url, found)
  found.catch(() => loaded.delete(url))
  return found
}

interface SiteModule {
  default(options: { readonly base: string; readonly fetch?: typeof fetch }): SiteFunction
}

async function load(source: string, ask: typeof fetch = fetch): Promise<SiteModule> {
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ source)
  } catch (error) {
    // Node cannot import a module from an HTTP URL.
    const { code } = error as { readonly code?: string }
    if (code !== 'ERR_UNSUPPORTED_ESM_URL_SCHEME') throw error
    const text = await (await ask(source)).text()
    const data = `data:text/javascript,${encodeURIComponent(text)}`
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ data)
  }
}
