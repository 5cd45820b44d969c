// Classifies URLs as paths.

/** Reports whether a URL is a relative path: not from the root, not only a fragment or query, and without a scheme. */
export function isRelativePath(url: string): boolean {
  return url !== '' && !/^[/\\#?]/.test(url) && !/^[a-z][a-z0-9+.-]*:/iu.test(url)
}

/** Reports whether a URL is a path from the root of a site, `/img/a.png`, or of a project, `@site/static/img/a.png`. */
export function isRootPath(url: string): boolean {
  return /^(?:\/(?![/\\])|@site\/)/.test(url)
}
