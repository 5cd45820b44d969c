// Parts of a source file's path.

/** `acme/tags/hello.md` → `hello`. */
export function fileNameOf(file: string): string {
  return withoutExtension(file.slice(file.lastIndexOf('/') + 1))
}

/** `acme/posts/2024/hello.md` and `acme/posts/2024/hello/index.md` → `hello`. @param folders of posts */
export function pageNameOf(file: string, folders: readonly string[]): string {
  const path = pathBelowKind(file, folders).replace(/\/index$/u, '')
  return path.slice(path.lastIndexOf('/') + 1)
}

/** `acme/posts/2024/hello.md` → `2024/hello`. @param folders of posts */
export function pathBelowKind(file: string, folders: readonly string[]): string {
  const folder = folders.find((path) => file.startsWith(`${path}/`))
  return withoutExtension(file.slice(folder === undefined ? 0 : folder.length + 1))
}

function withoutExtension(path: string): string {
  return path.replace(/\.(?:md|markdown|mdx|ya?ml|json)$/u, '')
}
