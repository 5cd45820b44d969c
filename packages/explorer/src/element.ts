// Makes elements of the page. Text is never parsed as HTML.

/** The content of an element. */
export type Child = Node | string | null | readonly Child[]

/** Attributes by name. `true` is an attribute without a value; `false` and null are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>

/** Returns an element with attributes and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : `${value}`)
  }
  made.append(...flatten(children))
  return made
}

/** Returns a button with an action. */
export function button(
  label: Child,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label)
  made.addEventListener('click', onClick)
  return made
}

/** Returns a button that copies a text and confirms it. */
export function copyButton(
  label: string,
  text: () => string,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = button(label, () => void copy(), { class: 'quiet', ...attributes })
  const copy = async () => {
    const isCopied = await copyText(text())
    // The width does not change, so that elements next to the button do not move.
    made.style.minWidth = `${made.offsetWidth}px`
    made.textContent = isCopied ? 'Copied' : 'Not allowed'
    announce(isCopied ? `${label}: copied.` : 'The browser does not allow this page to copy.')
    setTimeout(() => made.replaceChildren(label), 1500)
  }
  return made
}

/** Copies a text. Browsers offer a clipboard only with TLS or on this machine. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Returns a text with its `code`. Backticks are the only Markdown in descriptions and messages. */
export function textWithCode(text: string): readonly (string | HTMLElement)[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)))
}

/** Formats a count and a noun: `1,200 posts`. */
export function counted(number: number, noun: string, many = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : many}`
}

/** Announces a text to users of screen readers. */
export function announce(text: string): void {
  const announcer = document.getElementById('announcer')
  if (announcer !== null) announcer.textContent = text
}

function flatten(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null) return []
    return typeof child === 'string' || child instanceof Node ? [child] : flatten(child)
  })
}
