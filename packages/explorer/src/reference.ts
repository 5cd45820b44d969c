// The reference: the list of operations, the form of the chosen operation, and the response.
import type { PageSite } from 'quarry'
import type { Clock } from './clock.ts'
import { announce, element, textWithCode } from './element.ts'
import type { KeyStore } from './key-store.ts'
import { listState, operationList, restoreList } from './operation-list.ts'
import { type ApiOperation, counterpart, type OpenApi, readOperations } from './operations.ts'
import { hashOf, type Values } from './request.ts'
import { problemsOf, type RequestForm, requestForm } from './request-form.ts'
import { foundSummary, responseView, spokenSummary } from './response-view.ts'
import { schemaView } from './schema-view.ts'
import { type ApiResponse, baseUrl, type Send } from './send.ts'
import { snippetsOf } from './snippets.ts'
import { storeRequest } from './stored.ts'
import { type Listed, Suggestions } from './suggestions.ts'
import { keptChoice, type TabChoice } from './tabs.ts'

/** The dependencies of the reference. */
export interface ReferenceContext {
  readonly send: Send
  readonly document: OpenApi
  readonly keys: KeyStore
  /** Returns the known ids of workspaces. */
  readonly workspaces: () => readonly string[]
  /** False on a host without a function. */
  readonly canSearch: boolean
  /** True if the server is `quarry dev`, which explains requests. */
  readonly isDev: boolean
  /** Returns the time at which the site is shown; null if it is always now. */
  readonly clock: () => Clock | null
  /** Fields and collections by workspace, if the document does not contain them. */
  readonly own: NonNullable<PageSite['own']>
}

type OwnDocument = Pick<OpenApi, 'paths'> & OpenApi['components']

/** The view of the reference. */
export class Reference {
  readonly root: HTMLElement = element('div', { class: 'reference' })
  readonly #context: ReferenceContext
  #document: OpenApi
  #operations: readonly ApiOperation[]
  readonly #suggestions: Suggestions
  readonly #response = element('section', {
    class: 'answer',
    'aria-label': 'Response',
    tabindex: 0,
  })
  #form: RequestForm | null = null
  #workspace = ''
  #asking: AbortController | null = null
  #last: ApiResponse | null = null
  readonly #tab: TabChoice = keptChoice('quarry-tab')
  readonly #snippet: TabChoice = keptChoice('quarry-code')

  constructor(context: ReferenceContext) {
    this.#context = context
    this.#document = context.document
    this.#operations = readOperations(context.document)
    this.#suggestions = new Suggestions(context)
  }

  get operations(): readonly ApiOperation[] {
    return this.#operations
  }

  get workspaces(): readonly string[] {
    return this.#context.workspaces()
  }

  /** Returns the version of the open operation. */
  get version(): string {
    return this.#form?.operation.version ?? ''
  }

  /** Returns the names of the parameters of the open operation. */
  get parameters(): readonly string[] {
    return this.#form?.operation.fields.map(({ name }) => name) ?? []
  }

  /** Returns the operations of the open version that return one resource of a kind that has lists. */
  #singles(): readonly ApiOperation[] {
    return this.#operations.filter(
      ({ version, template, group }) =>
        version === this.version && template.endsWith('/{identifier}') && group !== 'singletons',
    )
  }

  /** Finds posts and items of the workspace that contain a text, and terms whose names contain it. */
  async find(text: string): Promise<readonly (Listed & { kind: string; address: string })[]> {
    const { version } = this
    const where = { workspaceId: this.#workspace }
    const found = this.#singles().map(async ({ id, group, summary }) => {
      const listed = await this.#suggestions.search(group, version, where, text)
      return listed.map((one) => ({
        ...one,
        kind: summary.replace('Get one ', ''),
        address: hashOf(id, { ...where, identifier: one.slug }),
      }))
    })
    return (await Promise.all(found)).flat()
  }

  /** Focuses the field of a parameter. @returns false if the open operation has none */
  focus(name: string): boolean {
    const control =
      document.getElementById(`field-${name}`) ?? document.getElementById(`field-${name}-none`)
    for (let at = control?.closest('details'); at; at = at.parentElement?.closest('details'))
      at.open = true
    control?.scrollIntoView({ block: 'center' })
    control?.focus()
    return control !== null
  }

  /** Opens the same operation for another workspace. */
  switchTo(workspace: string): void {
    const open = this.#form?.operation ?? this.#operations[0]
    if (open === undefined) return
    const operation = open.needsKey ? counterpart(this.#operations, open, 'v1') : open
    const values = { ...this.#form?.values, identifier: '', page: '', workspaceId: workspace }
    location.hash = hashOf(operation?.id ?? '', values)
  }

  /** Returns the address of the open operation; empty for none. */
  get address(): string {
    return this.#form === null ? '' : hashOf(this.#form.operation.id, this.#form.values)
  }

  /** Opens an operation. Sends its request, which changes nothing, unless a value is missing. */
  open(id: string, values: Values): void {
    this.#workspace =
      values['workspaceId'] ?? (this.#workspace || this.#context.workspaces()[0]) ?? ''
    this.#readOwn()
    const operation =
      this.#operations.find((known) => known.id === id) ??
      this.#operations.find(({ needsKey }) => !needsKey) ??
      this.#operations[0]
    if (operation === undefined) return
    const isSame = this.#form?.operation.id === operation.id
    this.#form = requestForm(
      operation,
      { ...values, workspaceId: this.#workspace },
      {
        ...this.#context,
        suggest: (of) => this.#suggestions.names(of, operation.version, this.#form?.values ?? {}),
        onSend: () => this.#sendByHand(),
        onType: () => this.#form?.isComplete && void this.#send('typed'),
      },
    )
    this.#show(operation, this.#form)
    if (!isSame) this.#showNothing(operation)
    void this.#sendPrefilled(this.#form)
  }

  /** Sends the request again, because the content has changed. */
  refresh(): void {
    this.#suggestions.forget()
    if (this.#form === null || !this.root.isConnected) return
    const [first] = this.#context.workspaces()
    if (this.#workspace === '' && first !== undefined) this.open(this.#form.operation.id, {})
    else if (this.#form.isComplete) void this.#send('again')
  }

  /** Reads the operations again, with the fields and collections of the workspace. */
  #readOwn(): void {
    const { document, own } = this.#context
    const { paths = {}, schemas = {} } = (own[this.#workspace] ?? {}) as Partial<OwnDocument>
    const components = { schemas: { ...document.components.schemas, ...schemas } }
    this.#document = { ...document, paths: { ...document.paths, ...paths }, components }
    this.#operations = readOperations(this.#document)
  }

  #show(operation: ApiOperation, form: RequestForm): void {
    document.title = `${operation.summary} (${operation.version}) · API reference`
    const request = element(
      'section',
      { class: 'request', 'aria-label': 'Request' },
      element(
        'h1',
        { tabindex: -1 },
        operation.summary,
        element('span', { class: 'version' }, operation.version),
      ),
      element('p', { class: 'lead' }, textWithCode(operation.text)),
      form.root,
      schemaView(operation, this.#document),
    )
    const list = operationList(this.#operations, operation, {
      all: this.workspaces,
      current: this.#workspace,
      switchTo: (id) => this.switchTo(id),
      clock: this.#context.clock()?.root ?? null,
    })
    const before = listState(this.root.querySelector('.operations'))
    this.root.replaceChildren(list, request, this.#response)
    restoreList(list, before)
  }

  #showNothing(operation: ApiOperation): void {
    this.#asking?.abort()
    this.#asking = null
    this.#response.removeAttribute('aria-busy')
    this.#last = null
    const { keys, isDev } = this.#context
    const missing = operation.fields
      .filter(({ name, isRequired }) => isRequired && !this.#form?.values[name])
      .map(({ kind }) => (kind.type === 'workspace' ? 'a workspace' : 'a slug or an id'))
    const wanted = [...(operation.needsKey && keys.key === '' ? ['a key'] : []), ...missing]
    const action = wanted.length === 0 ? 'Send the request' : `Fill in ${wanted.join(' and ')}`
    const text =
      isDev && this.workspaces.length === 0 && !operation.needsKey
        ? 'No content yet. The response appears here when the content is built.'
        : `${action} to see the response here.`
    this.#response.replaceChildren(element('p', { class: 'empty' }, text))
  }

  async #sendPrefilled(form: RequestForm): Promise<void> {
    if (!form.isComplete) await form.prefill()
    if (form === this.#form && form.isComplete) await this.#send()
  }

  #sendByHand(): void {
    if (this.#form === null || this.#form.demandMissing()) return
    this.#workspace = this.#form.values['workspaceId'] ?? this.#workspace
    void this.#send().then(() => this.#response.scrollIntoView())
  }

  /** @param why `again` for the same request to changed content, `typed` while the user types */
  async #send(why: 'first' | 'again' | 'typed' = 'first'): Promise<void> {
    const form = this.#form
    if (form === null) return
    history.replaceState(null, '', this.address)
    if (why === 'first') storeRequest(this.address)
    this.#asking?.abort()
    const asking = new AbortController()
    this.#asking = asking
    this.#response.setAttribute('aria-busy', 'true')
    const key = form.operation.needsKey ? this.#context.keys.key : ''
    // An empty key is not sent. The response states that the key is missing.
    const response = await this.#context
      .send(form.path, key === '' ? null : key, asking.signal)
      .catch(() => null)
    if (this.#asking !== asking) return
    this.#response.removeAttribute('aria-busy')
    if (response === null) this.#showFailure()
    else if (why === 'again') this.#renewResponse(response, form)
    else this.#showResponse(response, form)
  }

  /** Replaces a response that has changed. Keeps its scroll position. */
  #renewResponse(response: ApiResponse, form: RequestForm): void {
    if (this.#last?.text === response.text && this.#last.status === response.status) return
    const { scrollTop } = this.#response
    this.#showResponse(response, form)
    this.#response.scrollTop = scrollTop
  }

  #showResponse(response: ApiResponse, form: RequestForm): void {
    const hadFocus = focusedLabel(this.#response)
    this.#last = response
    this.#response.replaceChildren(
      ...responseView(response, {
        isHtml: form.values['format'] !== 'markdown',
        choice: this.#tab,
        explain: this.#context.isDev ? () => this.#explain(form) : null,
        snippets: snippetsOf(form.operation, form.values, baseUrl),
        snippetChoice: this.#snippet,
        query: form.values['query'] ?? '',
        addressOf: (identifier) => {
          const one = this.#singles().find(({ group }) => group === form.operation.group)
          const { workspaceId = '' } = form.values
          return one === undefined ? null : hashOf(one.id, { workspaceId, identifier })
        },
        goTo: (page) => {
          form.turnTo(page)
          void this.#send()
        },
      }),
    )
    this.#response.scrollTop = 0
    // The focus stays on the button for keyboard users.
    focusByLabel(this.#response, hadFocus)
    form.showFound(form.values['query'] ? foundSummary(response) : '')
    const problems = problemsOf(response)
    form.showProblems(problems)
    announce([spokenSummary(response), ...problems.map(({ message }) => message)].join(' '))
  }

  #explain({ path, operation }: RequestForm): Promise<ApiResponse> {
    const key = operation.needsKey ? this.#context.keys.key : ''
    return this.#context.send(
      `/_quarry/explain?target=${encodeURIComponent(path)}&now=${this.#context.clock()?.time ?? ''}`,
      key === '' ? null : key,
    )
  }

  #showFailure(): void {
    this.#last = null
    const text = 'The service cannot be reached. Is it still running?'
    this.#response.replaceChildren(element('p', { class: 'empty bad' }, text))
    announce(text)
  }
}

/** Returns the text of the focused element in a part of the page; null without one. */
function focusedLabel(root: HTMLElement): string | null {
  const { activeElement } = document
  return root.contains(activeElement) && activeElement !== root
    ? (activeElement?.textContent ?? null)
    : null
}

/** Focuses the button with a text, or else the part itself. */
function focusByLabel(root: HTMLElement, label: string | null): void {
  if (label === null) return
  const same = [...root.querySelectorAll('button')].find(({ textContent }) => textContent === label)
  if (same === undefined || same.disabled) root.focus()
  else same.focus()
}
