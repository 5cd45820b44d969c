// What micromark knows as its subtokenizer: content that was found but not yet looked into (the lines of a flow, the
// text of a paragraph) is tokenized, and its events take its place. The package moves all events behind a content to
// make room for each; here they are written once. The parser is given it where the render thread is bundled.
// Knows no construct but lists, whose ends and first lines are told here.
import type { Event, Token, TokenizeContext } from 'micromark-util-types'

/**
 * Looks into all content of some events, one level deep.
 *
 * @param events changed in place: those of content become those of what it holds
 * @returns whether there was no content
 *
 * Cost: O(events), and what tokenizing the content costs.
 */
export function subtokenize(events: Event[]): boolean {
  const out: Event[] = []
  /** What takes the place of a content; one may go on behind other events, with a token for each of its parts. */
  const found = new Map<Token, readonly Event[]>()
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as Event
    const [step, token, context] = event
    if (step === 'enter' && token.contentType) {
      if (!found.has(token)) lookInto(token, context, found, out.at(-1)?.[1])
      append(out, found.get(token))
      // The next event is its exit.
      index += 1
    } else if (step === 'exit' && token._container) {
      exitContainer(out, event)
    } else {
      out.push(event)
    }
  }
  events.length = 0
  append(events, out)
  return found.size === 0
}

/** One by one: a spread is an argument for each. */
function append(events: Event[], more: readonly Event[] = []): void {
  for (const event of more) events.push(event)
}

/** Tokenizes a content with all its parts. @param before the token before it */
function lookInto(
  first: Token,
  context: TokenizeContext,
  found: Map<Token, readonly Event[]>,
  before: Token | undefined,
): void {
  if (first.type === 'chunkFlow' && before?.type === 'listItemPrefix') {
    markFirstText(first._tokenizer?.events ?? [])
  }
  const tokenizer = first._tokenizer ?? tokenizerOf(first, context)
  const { events } = tokenizer
  const tokens: Token[] = []
  for (let token: Token | undefined = first; token !== undefined; token = token.next) {
    if (token._tokenizer === undefined) feed(tokenizer, token, context, tokens.length > 0)
    tokens.push(token)
  }
  const starts = partStarts(events, first)
  tokenizer.events = []
  const last = tokens.slice(tokens.length - starts.length)
  for (const [part, token] of last.entries()) {
    found.set(token, starts.length === 1 ? events : events.slice(starts[part], starts[part + 1]))
  }
}

function tokenizerOf(token: Token, { parser }: TokenizeContext): TokenizeContext {
  const tokenizer = parser[token.contentType ?? 'text'](token.start)
  if (token._contentTypeTextTrailing) tokenizer._contentTypeTextTrailing = true
  return tokenizer
}

function feed(
  tokenizer: TokenizeContext,
  token: Token,
  context: TokenizeContext,
  goesOn: boolean,
): void {
  const stream = context.sliceStream(token)
  if (token.next === undefined) stream.push(null)
  if (goesOn) tokenizer.defineSkip(token.start)
  const isFirst = token._isInFirstContentOfListItem === true
  if (isFirst) tokenizer._gfmTasklistFirstContentOfListItem = true
  tokenizer.write(stream)
  if (isFirst) tokenizer._gfmTasklistFirstContentOfListItem = undefined
}

/** Where the events of each part begin: a part ends with a token that is nothing but an ending of a line. */
function partStarts(events: readonly Event[], first: Token): readonly number[] {
  const starts = [0]
  let part: Token | undefined = first
  for (let index = 1; index < events.length; index++) {
    if (!endsLine(events[index - 1] as Event, events[index] as Event)) continue
    starts.push(index + 1)
    part = released(part)
  }
  if (part === undefined) starts.pop()
  else released(part)
  return starts
}

function endsLine([step, { type }]: Event, [nextStep, token]: Event): boolean {
  return (
    nextStep === 'exit' &&
    step === 'enter' &&
    token.type === type &&
    token.start.line !== token.end.line
  )
}

/** @returns the next part */
function released(token: Token | undefined): Token | undefined {
  if (token === undefined) return undefined
  token._tokenizer = undefined
  token.previous = undefined
  return token.next
}

/** Marks the text of the first content of a list item, in which a box to tick may stand. */
function markFirstText(events: readonly Event[]): void {
  const start = events[0]?.[1].type === 'lineEndingBlank' ? 2 : 0
  if (events[start]?.[1].type !== 'content') return
  for (let index = start + 1; index < events.length; index++) {
    const token = (events[index] as Event)[1]
    if (token.type === 'content') return
    if (token.type === 'chunkText') token._isInFirstContentOfListItem = true
  }
}

/** Ends a container before the blank lines at its end, which are told as such. */
function exitContainer(events: Event[], exit: Event): void {
  let first: number | undefined
  for (let index = events.length - 1; index >= 0; index--) {
    const [step, token] = events[index] as Event
    if (token.type === 'linePrefix' || token.type === 'listItemIndent') continue
    if (token.type !== 'lineEnding' && token.type !== 'lineEndingBlank') break
    if (step === 'exit') continue
    if (first !== undefined) (events[first] as Event)[1].type = 'lineEndingBlank'
    token.type = 'lineEnding'
    first = index
  }
  if (first === undefined) {
    events.push(exit)
    return
  }
  exit[1].end = { ...(events[first] as Event)[1].start }
  events.splice(first, 0, exit)
}
