// What the YAML language server, which editors start, says of files: its problems, as it publishes them.
// Knows nothing of schemas.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { provideHostPackages } from './host-packages.ts'

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly items?: readonly unknown[]
    readonly diagnostics?: readonly {
      readonly message: string
      readonly range: { readonly start: { readonly line: number } }
    }[]
  }
}

/** Problems of a file of YAML as `line: message`, lines from 1. */
export async function yamlProblems(file: string): Promise<readonly string[]> {
  const bin = join(provideHostPackages('editors'), 'yaml-language-server/bin/yaml-language-server')
  const child = spawn(process.execPath, [bin, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const uri = pathToFileURL(file).href
  const document = { uri, languageId: 'yaml', version: 1, text: readFileSync(file, 'utf8') }
  send({
    id: 1,
    method: 'initialize',
    params: { processId: null, rootUri: null, capabilities: {} },
  })
  try {
    for await (const { id, method, params } of messagesOf(child.stdout)) {
      if (method === undefined && id === 1) {
        send({ method: 'initialized', params: {} })
        send({ method: 'textDocument/didOpen', params: { textDocument: document } })
      } else if (method === 'textDocument/publishDiagnostics') {
        const found = params?.diagnostics ?? []
        return found.map(({ range, message }) => `${range.start.line + 1}: ${message}`)
      } else if (method !== undefined && id !== undefined) {
        // It asks for settings, and to be told of more: it has none.
        send({ id, result: params?.items?.map(() => null) ?? null })
      }
    }
    throw new Error('the language server ended')
  } finally {
    child.kill()
  }
}

/** Messages of the protocol: a length, and so many bytes of JSON. */
async function* messagesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Message> {
  let bytes: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    bytes = Buffer.concat([bytes, chunk])
    for (;;) {
      const head = bytes.indexOf('\r\n\r\n')
      const [, length] = /Content-Length: (\d+)/.exec(bytes.toString('latin1', 0, head)) ?? []
      const end = head + 4 + Number(length)
      if (head === -1 || bytes.length < end) break
      yield JSON.parse(bytes.toString('utf8', head + 4, end))
      bytes = bytes.subarray(end)
    }
  }
}
