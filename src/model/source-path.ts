// What a source file's path says: its name, and its place below the folder of its kind.
// Knows nothing of the file's content.

/** `acme/tags/hello.md` → `hello`. */
export function fileNameOf(file: string): string {
  return withoutExtension(file.slice(file.lastIndexOf('/') + 1))
}

/** `acme/posts/2024/hello.md` and `acme/posts/2024/hello/index.md` → `hello`. */
export function pageNameOf(file: string): string {
  const path = pathBelowKind(file).replace(/\/index$/u, '')
  return path.slice(path.lastIndexOf('/') + 1)
}

/** `acme/posts/2024/hello.md` → `2024/hello`. */
export function pathBelowKind(file: string): string {
  return withoutExtension(file.split('/').slice(2).join('/'))
}

function withoutExtension(path: string): string {
  return path.replace(/\.(?:md|markdown|mdx)$/u, '')
}
