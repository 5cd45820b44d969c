// Tabs for screen readers and keyboards (WAI-ARIA authoring practices).
import { button, element } from './element.ts'
import { readStored, store } from './stored.ts'

/** A tab. */
export interface Tab {
  readonly label: string
  readonly content: () => HTMLElement
}

/** The label of the chosen tab or option of a menu. It outlives the view. */
export interface TabChoice {
  label: string
}

/** Returns a choice that outlives the page. */
export function keptChoice(name: string): TabChoice {
  return {
    get label() {
      return String(readStored(name) ?? '')
    },
    set label(text: string) {
      store(name, text)
    },
  }
}

/** Returns tabs. The last choice is open, or else the first tab. */
export function tabs(label: string, all: readonly Tab[], choice: TabChoice): HTMLElement {
  const names = all.map((tab, index) =>
    button(tab.label, () => chooseByHand(index), { role: 'tab', class: 'tab' }),
  )
  const panels = all.map((tab) => element('div', { role: 'tabpanel', 'aria-label': tab.label }))
  const choose = (chosen: number) => {
    for (const [index, panel] of panels.entries()) {
      const isChosen = index === chosen
      if (isChosen && panel.childElementCount === 0) panel.append(all[index]?.content() ?? '')
      panel.hidden = !isChosen
      names[index]?.setAttribute('aria-selected', String(isChosen))
      names[index]?.setAttribute('tabindex', isChosen ? '0' : '-1')
    }
  }
  const chooseByHand = (chosen: number) => {
    choice.label = all[chosen]?.label ?? ''
    choose(chosen)
  }
  const list = element('div', { role: 'tablist', 'aria-label': label, class: 'tabs' }, names)
  list.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    const at = names.indexOf(document.activeElement as HTMLButtonElement)
    if (step === undefined || at === -1) return
    const next = (at + step + names.length) % names.length
    chooseByHand(next)
    names[next]?.focus()
  })
  choose(
    Math.max(
      0,
      all.findIndex((tab) => tab.label === choice.label),
    ),
  )
  return element('div', { class: 'tabbed' }, list, ...panels)
}
