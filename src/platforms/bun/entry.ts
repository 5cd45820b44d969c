// The entry point of a Bun deployment, bundled into one file with its data next to it.
import { type BunServer, createBunServer } from './handler.ts'

const server: BunServer = createBunServer(new URL('./function/', import.meta.url))
export default server
