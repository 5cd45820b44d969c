// The entry point of a Deno deployment, bundled into one file with its data next to it.
import { createDenoServer, type DenoServer } from './handler.ts'

const server: DenoServer = createDenoServer(new URL('./function/', import.meta.url))
export default server
