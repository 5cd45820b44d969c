// Makes elements of the page. Whatever text is given becomes text, never HTML.

/** The content of an element. */
export type Child = Node | string | null | readonly Child[]

/** Attributes by name; `true` is alone, `false` and null are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>

/** An element with attributes and children. */
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

/** A button that does something. */
export function button(
  label: Child,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label)
  made.addEventListener('click', onClick)
  return made
}

/** A button that copies a text and says so. */
export function copyButton(
  label: string,
  text: () => string,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = button(label, () => void copy(), { class: 'quiet', ...attributes })
  const copy = async () => {
    const isCopied = await copyText(text())
    // The width stays: nothing next to the button moves.
    made.style.minWidth = `${made.offsetWidth}px`
    made.textContent = isCopied ? 'Copied' : 'Not allowed'
    announce(isCopied ? `${label}: copied.` : 'The browser does not allow this page to copy.')
    setTimeout(() => made.replaceChildren(label), 1500)
  }
  return made
}

/** Away from this machine, without TLS, browsers have no clipboard to give. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** A text with `code` in it: back ticks are all the Markdown that descriptions and messages hold. */
export function textWithCode(text: string): readonly (string | HTMLElement)[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)))
}

/** `1,200 posts`. */
export function counted(number: number, noun: string, many = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : many}`
}

/** Says something to those who hear the page. */
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
