// The light or dark theme: that of the system until the user chooses one. The browser stores the choice.
import { button } from './element.ts'
import { readStored, store } from './stored.ts'

/** Event for frames when the theme has changed, because frames cannot read the theme of the page. */
export const themeEvent = 'quarry-theme'

const itemName = 'quarry-theme'

/** Applies the stored choice. @returns a button that switches to the other theme */
export function themeButton(): HTMLButtonElement {
  const made = button('', turnTheme, { class: 'theme', 'aria-label': 'Light or dark' })
  apply(readStored(itemName))
  return made
}

/** Switches to the other theme. */
export function turnTheme(): void {
  const chosen = document.documentElement.dataset['theme']
  const isDark = chosen === undefined ? matchMedia(darkScheme).matches : chosen === 'dark'
  const theme = isDark ? 'light' : 'dark'
  store(itemName, theme)
  apply(theme)
  for (const frame of document.querySelectorAll('iframe'))
    frame.dispatchEvent(new Event(themeEvent))
}

const darkScheme = '(prefers-color-scheme: dark)'

function apply(theme: unknown): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
}
