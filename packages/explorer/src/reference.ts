// The reference: the list of operations, the form of the chosen one, and the response to what was sent.

import { announce, element } from './element.ts'
import { emptyResponse } from './empty-response.ts'
import { focusByLabel, focusedLabel } from './focus.ts'
import { storeRequest } from './history.ts'
import type { KeyStore } from './key-store.ts'
import { listState, operationList, restoreList } from './operation-list.ts'
import { type ApiOperation, counterpart, type OpenApi, readOperations } from './operations.ts'
import { problemsOf } from './problems.ts'
import { hashOf, type Values } from './request.ts'
import { type RequestForm, requestForm } from './request-form.ts'
import { foundSummary, responseView, spokenSummary } from './response-view.ts'
import { schemaView } from './schema-view.ts'
import { type ApiResponse, baseUrl, type Send } from './send.ts'
import { snippetsOf } from './snippets.ts'
import { Suggestions } from './suggestions.ts'
import type { TabChoice } from './tabs.ts'

/** The collaborators of the reference. */
export interface ReferenceContext {
  readonly send: Send
  readonly document: OpenApi
  readonly keys: KeyStore
  /** Ids that exist, as far as the page knows. */
  readonly workspaces: () => readonly string[]
  /** The server is `quarry dev`: it explains requests. */
  readonly isDev: boolean
  /** Where a key comes from. */
  readonly keyHint: string
}

/** The reference on the page. */
export class Reference {
  readonly root: HTMLElement = element('div', { class: 'reference' })
  readonly #context: ReferenceContext
  readonly #operations: readonly ApiOperation[]
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
  readonly #tab: TabChoice = { label: '' }
  readonly #snippet: TabChoice = { label: '' }
  readonly #post: TabChoice = { label: '' }

  constructor(context: ReferenceContext) {
    this.#context = context
    this.#operations = readOperations(context.document)
    this.#suggestions = new Suggestions(context.workspaces, () => context.keys.key, context.send)
  }

  get operations(): readonly ApiOperation[] {
    return this.#operations
  }

  get workspaces(): readonly string[] {
    return this.#context.workspaces()
  }

  /** The version of the open operation. */
  get version(): string {
    return this.#form?.operation.version ?? ''
  }

  /** Names of the parameters of the open operation. */
  get parameters(): readonly string[] {
    return this.#form?.operation.fields.map(({ name }) => name) ?? []
  }

  /** Goes to the field of a parameter. */
  focus(name: string): void {
    this.root.querySelector('.optional')?.setAttribute('open', '')
    const control = this.root.querySelector<HTMLElement>(`#field-${name}, #field-${name}-none`)
    control?.scrollIntoView({ block: 'center' })
    control?.focus()
  }

  /** Opens the same operation for another workspace. */
  switchTo(workspace: string): void {
    const open = this.#form?.operation ?? this.#operations[0]
    if (open === undefined) return
    const operation = open.needsKey ? counterpart(this.#operations, open, 'v1') : open
    const values = { ...this.#form?.values, identifier: '', page: '', workspaceId: workspace }
    location.hash = hashOf(operation?.id ?? '', values)
  }

  /** The operation that is open; empty when there is none yet. */
  get address(): string {
    return this.#form === null ? '' : hashOf(this.#form.operation.id, this.#form.values)
  }

  /** Opens an operation and sends its request, unless a value is missing: no request changes anything. */
  open(id: string, values: Values): void {
    const operation =
      this.#operations.find((known) => known.id === id) ??
      this.#operations.find(({ needsKey }) => !needsKey) ??
      this.#operations[0]
    if (operation === undefined) return
    this.#workspace =
      values['workspaceId'] ?? (this.#workspace || this.#context.workspaces()[0]) ?? ''
    const isSame = this.#form?.operation === operation
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

  /** Asks again for what is shown, because the content has changed. */
  refresh(): void {
    this.#suggestions.forget()
    // A hidden response is requested when it is opened again.
    if (this.#form === null || !this.root.isConnected) return
    const [first] = this.#context.workspaces()
    if (this.#workspace === '' && first !== undefined) this.open(this.#form.operation.id, {})
    else if (this.#form.isComplete) void this.#send('again')
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
      form.root,
      schemaView(operation, this.#context.document),
    )
    const list = operationList(this.#operations, operation, {
      all: this.workspaces,
      current: this.#workspace,
      switchTo: (id) => this.switchTo(id),
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
    const state = {
      hasKey: this.#context.keys.key !== '',
      workspace: this.#workspace,
      hasNoContent: this.#context.isDev && this.workspaces.length === 0,
    }
    this.#response.replaceChildren(emptyResponse(operation, state))
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

  /** @param why `again` for the same request to changed content, `typed` while somebody types */
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
    // An empty key is sent as none: the response says what is missing.
    const response = await this.#context
      .send(form.path, key === '' ? null : key, asking.signal)
      .catch(() => null)
    if (this.#asking !== asking) return
    this.#response.removeAttribute('aria-busy')
    if (response === null) this.#showFailure()
    else if (why === 'again') this.#renewResponse(response, form)
    else this.#showResponse(response, form)
  }

  /** Opened parts stay open where nothing has changed, and nothing scrolls where something has. */
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
        postChoice: this.#post,
        goTo: (page) => {
          form.turnTo(page)
          void this.#send()
        },
      }),
    )
    this.#response.scrollTop = 0
    // The focus stays on the button, for keyboard users.
    focusByLabel(this.#response, hadFocus)
    form.showFound(form.values['query'] ? foundSummary(response) : '')
    const problems = problemsOf(response)
    form.showProblems(problems)
    announce([spokenSummary(response), ...problems.map(({ message }) => message)].join(' '))
  }

  #explain({ path, operation }: RequestForm): Promise<ApiResponse> {
    const key = operation.needsKey ? this.#context.keys.key : ''
    return this.#context.send(
      `/_quarry/explain?target=${encodeURIComponent(path)}`,
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
