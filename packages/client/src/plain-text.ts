// The text of short Markdown, such as a `bio` or a `description`.

/** Returns Markdown without its marks, on one line; '' for null. */
export function plainText(markdown: string | null): string {
  // regex: for short texts, such as a bio
  return (markdown ?? '')
    .replace(linkOrTag, (match, text) => {
      if (match.startsWith('<')) return match.startsWith('<http') ? match.slice(1, -1) : ''
      return text ?? match
    })
    .replace(/^[ \t]*(?:[#>]+|[-+*]|\d{1,9}[.)])[ \t]+/gm, '')
    .replace(/\\([^\w\s])|[*`]+(?=[^\s*`])|(?<=[^\s*`])[*`]+|~~|(?<!\w)_+|_+(?!\w)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Matches an escape, a link or an image with its text, a URL, or a tag. Its bounds keep the time linear. */
const linkOrTag =
  /\\.|!?\[([^[\]]{0,500})\](?:\([^()]{0,2000}\)|\[[^[\]]{0,500}\])|<[/a-z!][^<>]{0,500}>/gi
