// Reads MDX as Markdown: removes statements, components and expressions, and keeps their Markdown and HTML content.
// Never evaluates JavaScript. Loaded only for MDX bodies.
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

/** An MDX body as Markdown. */
export interface ReadMdx {
  readonly tree: Root
  /** Tags of HTML elements in JSX, as fragments of raw HTML with positions. */
  readonly tags: readonly Html[]
  readonly problems: readonly Problem[]
}

/** Parses Markdown to a tree. Throws a VFileMessage for a syntax error. */
type Parse = (body: string) => Root

/** Options of `readMdx`. */
interface MdxSetting {
  readonly parse: Parse
  /** The parser of a processor with `withMdx`. */
  readonly parseMdx: Parse
  /** Keeps HTML elements; otherwise only their content. */
  readonly keepsHtml: boolean
}

/** Adds the syntax of MDX, except statements, to a processor. */
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

/** Reads an MDX body; one with invalid JSX is read as Markdown with HTML. */
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

/** An error of the parser (a VFileMessage) about a tag or an expression. */
interface MdxSyntaxError extends Error {
  readonly reason: string
  readonly line?: number
  readonly column?: number
}

function isSyntaxError(error: unknown): error is MdxSyntaxError {
  return error instanceof Error && 'reason' in error && typeof error.reason === 'string'
}

function invalid({ reason, line, column }: MdxSyntaxError): Problem {
  // The position of an unclosed tag appears only in the message.
  const [, textLine, textColumn] = /\((\d+):(\d+)-/.exec(reason) ?? []
  const shown = reason.replace(/ \(\d+:\d+-\d+:\d+\)/g, '').slice(0, 200)
  return {
    line: line ?? Number(textLine ?? bodyStart.line),
    column: column ?? Number(textColumn ?? bodyStart.column),
    code: 'mdx-syntax',
    severity: 'warning',
    message: `This is not valid MDX, so the body is read as Markdown with HTML: ${shown}.`,
    hint: 'Close every element and brace; write "\\{" and "&lt;" for characters of the text.',
  }
}
