// The view of the content: workspaces, their posts with state and schedule, and warnings by file.
import type { ContentView, Diagnostic, ViewedPost, ViewedWorkspace } from 'quarry'
import { diagnosticView } from './code-frame.ts'
import { button, counted, element } from './element.ts'
import { type PostState, postRow, stateOf } from './post-row.ts'

const rowsAtOnce = 100

const states: readonly PostState[] = ['published', 'scheduled', 'draft']

/** The view of the content. */
export class ContentPage {
  readonly root: HTMLElement = element('div', { class: 'content' })
  readonly #heading = element('h1', { tabindex: -1 }, 'Content')
  readonly #rows = element('ul', { class: 'posts' })
  readonly #found = element('p', { class: 'found dim', role: 'status' })
  readonly #filter = element('input', {
    type: 'search',
    placeholder: 'Title, file or category',
    'aria-label': 'Filter posts',
  })
  readonly #states: HTMLSelectElement = element('select', { 'aria-label': 'State' })
  #view: ContentView = { root: '', workspaces: [] }
  #warnings: readonly Diagnostic[] = []
  #chosen = ''
  #showsWarnings = false
  /** Number of shown rows. It does not change with the content, so that the page does not move. */
  #rowsShown = rowsAtOnce
  readonly #showAt: (time: string) => void

  /** @param showAt called with the date of a scheduled post, before it is opened */
  constructor(showAt: (time: string) => void) {
    this.#showAt = showAt
    this.#filter.addEventListener('input', () => this.#showOthers())
    this.#states.addEventListener('change', () => this.#showOthers())
    this.root.append(element('p', { class: 'empty' }, 'Reading the content …'))
  }

  /** Shows the current content. Choices and typed text stay. */
  update(view: ContentView, warnings: readonly Diagnostic[]): void {
    this.#view = view
    this.#warnings = warnings
    this.#show()
  }

  #workspace(): ViewedWorkspace | undefined {
    const { workspaces } = this.#view
    return workspaces.find(({ id }) => id === this.#chosen) ?? workspaces[0]
  }

  #show(): void {
    const workspace = this.#workspace()
    if (workspace === undefined) {
      const text = 'It appears here when the content folder has a workspace, and no errors.'
      this.root.replaceChildren(
        this.#heading,
        element('p', { class: 'empty' }, element('strong', {}, 'No content yet. '), text),
      )
      return
    }
    this.#fillStates(workspace)
    const isWarning = this.#showsWarnings && this.#warnings.length > 0
    // Moving an element removes the focus from it.
    const focused = document.activeElement
    this.root.replaceChildren(
      this.#heading,
      this.#switch(workspace, isWarning),
      isWarning ? this.#warningList() : this.#posts(workspace),
    )
    const stays: readonly (Element | null)[] = [this.#heading, this.#filter, this.#states]
    if (stays.includes(focused)) (focused as HTMLElement).focus()
    this.#showPosts()
  }

  #posts(workspace: ViewedWorkspace): HTMLElement {
    return element(
      'section',
      { 'aria-labelledby': 'workspace-name' },
      element('h2', { id: 'workspace-name' }, workspace.name),
      element('p', { class: 'dim' }, describe(workspace)),
      element('div', { class: 'filters' }, this.#filter, this.#states),
      this.#found,
      this.#rows,
    )
  }

  /** Returns buttons for workspaces and, if there are any, for the warnings of all workspaces. */
  #switch(shown: ViewedWorkspace, isWarning: boolean): HTMLElement {
    const choice = (label: string, count: number, isChosen: boolean, choose: () => void) =>
      button(
        [label, element('small', {}, count.toLocaleString('en'))],
        () => {
          choose()
          this.#show()
          this.root.querySelector<HTMLElement>('.switch [aria-pressed=true]')?.focus()
        },
        { 'aria-pressed': String(isChosen) },
      )
    const workspaces = this.#view.workspaces.map(({ id, posts }) =>
      choice(id, posts.length, id === shown.id && !isWarning, () => {
        this.#chosen = id
        this.#showsWarnings = false
        this.#rowsShown = rowsAtOnce
      }),
    )
    const count = this.#warnings.length
    const warnings = choice('Warnings', count, isWarning, () => {
      this.#showsWarnings = true
    })
    return element(
      'div',
      { class: 'switch', role: 'group', 'aria-label': 'Workspaces and warnings' },
      workspaces,
      count === 0 ? null : warnings,
    )
  }

  #fillStates({ posts }: ViewedWorkspace): void {
    const now = this.#view.now ?? Date.now()
    const chosen = this.#states.value
    const counts = new Map<string, number>()
    for (const post of posts) {
      const state = stateOf(post, now)
      counts.set(state, (counts.get(state) ?? 0) + 1)
    }
    const options = states.map((state) =>
      element(
        'option',
        { value: state },
        `${state} (${(counts.get(state) ?? 0).toLocaleString('en')})`,
      ),
    )
    this.#states.replaceChildren(element('option', { value: '' }, 'every state'), ...options)
    this.#states.value = chosen
  }

  #showOthers(): void {
    this.#rowsShown = rowsAtOnce
    this.#showPosts()
  }

  #showPosts(): void {
    const workspace = this.#workspace()
    if (workspace === undefined) return
    const now = this.#view.now ?? Date.now()
    const wanted = this.#filter.value.trim().toLowerCase()
    const matching = workspace.posts.filter(
      (post) =>
        (this.#states.value === '' || stateOf(post, now) === this.#states.value) &&
        holds(post, wanted),
    )
    this.#found.textContent = `${matching.length.toLocaleString('en')} of ${counted(workspace.posts.length, 'post')}`
    this.#rows.replaceChildren()
    this.#append(matching, 0, workspace, now)
  }

  #append(
    posts: readonly ViewedPost[],
    from: number,
    workspace: ViewedWorkspace,
    now: number,
  ): void {
    const to = Math.min(posts.length, this.#rowsShown)
    this.#rows.append(
      ...posts
        .slice(from, to)
        .map((post) =>
          postRow(post, workspace, { now, root: this.#view.root, showAt: this.#showAt }),
        ),
    )
    if (to === posts.length) return
    const more = button(
      `${(posts.length - to).toLocaleString('en')} more`,
      () => {
        item.remove()
        this.#rowsShown += rowsAtOnce
        this.#append(posts, to, workspace, now)
      },
      { class: 'more' },
    )
    const item = element('li', {}, more)
    this.#rows.append(item)
  }

  #warningList(): HTMLElement {
    const files = new Map<string, Diagnostic[]>()
    for (const warning of this.#warnings) {
      const inFile = files.get(warning.file)
      if (inFile === undefined) files.set(warning.file, [warning])
      else inFile.push(warning)
    }
    return element(
      'section',
      { class: 'warnings', 'aria-labelledby': 'warnings-title' },
      element('h2', { id: 'warnings-title' }, 'Warnings'),
      element('p', { class: 'dim' }, 'The build continues, but this may be a mistake.'),
      [...files].slice(0, rowsAtOnce).map(([file, inFile]) =>
        element(
          'details',
          { open: files.size <= 5 },
          element(
            'summary',
            {},
            element('code', {}, file),
            element('small', {}, String(inFile.length)),
          ),
          inFile.map((warning) => diagnosticView(warning, this.#view.root)),
        ),
      ),
    )
  }
}

function holds({ title, file, category }: ViewedPost, wanted: string): boolean {
  return `${title}\n${file}\n${category ?? ''}`.toLowerCase().includes(wanted)
}

function describe({ id, isV1Private, categories, tags, authors }: ViewedWorkspace): string {
  const counts = `${counted(categories, 'category', 'categories')}, ${counted(tags, 'tag', 'tags')}, ${counted(authors, 'author', 'authors')}`
  return `${id} · ${counts}${isV1Private ? ' · v1 is private: only v2 with a key' : ''}`
}
