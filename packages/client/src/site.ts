// The function of a site on a host that has files alone. It is loaded with the first request that has no file.

/** The function, as `quarry-function.js` of a build exports it. */
export interface SiteFunction {
  (request: Request): Promise<Response>
  sync(workspace: string): Promise<void>
}

const loaded = new Map<string, Promise<SiteFunction>>()

/**
 * Returns the function of a site.
 *
 * @param url of the folder that holds the site, with its last slash
 * @throws what the platform throws when it cannot be loaded; the next call tries again
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
    // Node imports no module from a URL of the web.
    const { code } = error as { readonly code?: string }
    if (code !== 'ERR_UNSUPPORTED_ESM_URL_SCHEME') throw error
    const text = await (await ask(source)).text()
    const data = `data:text/javascript,${encodeURIComponent(text)}`
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ data)
  }
}
