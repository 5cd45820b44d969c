// MDX read as Markdown: statements, components and expressions go, and what they hold of Markdown and HTML stays.
// JavaScript is never evaluated. Loaded only for bodies of MDX.
import type { Html, Root } from 'mdast'
import { mdxExpressionFromMarkdown } from 'mdast-util-mdx-expression'
import { mdxJsxFromMarkdown } from 'mdast-util-mdx-jsx'
import { mdxExpression } from 'micromark-extension-mdx-expression'
import { mdxJsx } from 'micromark-extension-mdx-jsx'
import { mdxMd } from 'micromark-extension-mdx-md'
import type { Processor } from 'unified'
import { JsxReader } from './jsx.ts'
import { maskMdx } from './mdx-mask.ts'
import { bodyStart, type Problem } from './problem.ts'

/** A body of MDX, as Markdown. */
export interface ReadMdx {
  readonly tree: Root
  /** Tags of HTML elements in JSX, as fragments of raw HTML with their places. */
  readonly tags: readonly Html[]
  readonly problems: readonly Problem[]
}

/** A parser of Markdown: the whole text gives a tree. Throws a VFileMessage for what its syntax does not allow. */
type Parse = (body: string) => Root

/** How MDX is read. */
interface MdxSetting {
  readonly parse: Parse
  /** By a processor `withMdx`. */
  readonly parseMdx: Parse
  /** Elements of HTML stay; otherwise only what they hold. */
  readonly keepsHtml: boolean
}

/** Adds the syntax of MDX to a processor, but for statements. */
export function withMdx(this: Processor): void {
  const data: { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] } = this.data()
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    ...[mdxExpression(), mdxJsx(), mdxMd()],
  ]
  data.fromMarkdownExtensions = [
    ...(data.fromMarkdownExtensions ?? []),
    ...[mdxExpressionFromMarkdown(), mdxJsxFromMarkdown()],
  ]
}

/**
 * Reads a body of MDX; one that breaks the rules of JSX is read as Markdown with HTML.
 */
export function readMdx(body: string, { parse, parseMdx, keepsHtml }: MdxSetting): ReadMdx {
  const { text, statements } = maskMdx(body, parse(body))
  try {
    const reader = new JsxReader(body, statements, keepsHtml)
    const tree = parseMdx(text)
    reader.read(tree)
    return { tree, tags: reader.tags, problems: reader.problems() }
  } catch (error) {
    if (!isSyntaxError(error)) throw error
    return { tree: parse(text), tags: [], problems: [invalid(error)] }
  }
}

/** An error of the parser (a VFileMessage): for a mistake in a tag or an expression. */
interface MdxSyntaxError extends Error {
  readonly reason: string
  readonly line?: number
  readonly column?: number
}

function isSyntaxError(error: unknown): error is MdxSyntaxError {
  return error instanceof Error && 'reason' in error && typeof error.reason === 'string'
}

function invalid({ reason, line, column }: MdxSyntaxError): Problem {
  // A tag that is not closed has its place in the text alone.
  const [, textLine, textColumn] = /\((\d+):(\d+)-/.exec(reason) ?? []
  const shown = reason.replace(/ \(\d+:\d+-\d+:\d+\)/g, '').slice(0, 200)
  return {
    line: line ?? Number(textLine ?? bodyStart.line),
    column: column ?? Number(textColumn ?? bodyStart.column),
    code: 'mdx-syntax',
    severity: 'warning',
    message: `This is no valid MDX, so the body is read as Markdown with HTML: ${shown}.`,
    hint: 'Close every element and brace; write "\\{" and "&lt;" for characters of the text.',
  }
}
