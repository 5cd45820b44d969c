// The focus of a part of the page whose elements are replaced.

/** The text of the focused element in a part of the page; null without one. */
export function focusedLabel(root: HTMLElement): string | null {
  const { activeElement } = document
  return root.contains(activeElement) && activeElement !== root
    ? (activeElement?.textContent ?? null)
    : null
}

/** Focuses the button with a text, else the part itself. */
export function focusByLabel(root: HTMLElement, label: string | null): void {
  if (label === null) return
  const same = [...root.querySelectorAll('button')].find(({ textContent }) => textContent === label)
  if (same === undefined || same.disabled) root.focus()
  else same.focus()
}
