// The syntax of MDX without JavaScript's: JSX and expressions.
import { mdxExpressionFromMarkdown } from 'mdast-util-mdx-expression'
import {
  type MdxJsxFlowElement,
  type MdxJsxTextElement,
  mdxJsxFromMarkdown,
} from 'mdast-util-mdx-jsx'
import { mdxExpression } from 'micromark-extension-mdx-expression'
import { mdxJsx } from 'micromark-extension-mdx-jsx'
import { mdxMd } from 'micromark-extension-mdx-md'
import type { Processor } from 'unified'

/** An element in JSX. */
export type Jsx = MdxJsxFlowElement | MdxJsxTextElement

/** The HTML of an element in JSX that is kept. */
interface JsxTags {
  startTag?: string
  endTag?: string
  /** The start tag between two borders. */
  bordered?: string
}

declare module 'mdast-util-mdx-jsx' {
  interface MdxJsxFlowElementData extends JsxTags {}
  interface MdxJsxTextElementData extends JsxTags {}
}

/** Adds the syntax to a processor. */
export function mdxSyntax(this: Processor): void {
  const data: { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] } = this.data()
  const syntax = [mdxExpression(), mdxJsx(), mdxMd()]
  const trees = [mdxExpressionFromMarkdown(), mdxJsxFromMarkdown()]
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), ...syntax]
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), ...trees]
}
