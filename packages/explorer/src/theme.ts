// Light or dark: as the system is, until somebody chooses; the choice is kept in the browser.
import { button } from './element.ts'
import { readStored, store } from './stored.ts'

/** Sent to frames when the theme is another one: they do not see the page's. */
export const themeEvent = 'quarry-theme'

const itemName = 'quarry-theme'

/** Applies the kept choice. @returns a button that turns to the other theme */
export function themeButton(): HTMLButtonElement {
  const made = button('', turnTheme, { class: 'theme', 'aria-label': 'Light or dark' })
  apply(readStored(itemName))
  return made
}

/** Turns to the other theme. */
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
