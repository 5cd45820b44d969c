// The entry point of a Netlify deployment, bundled into one file with its data next to it.
import { createNetlifyHandler, type NetlifyHandler } from './handler.ts'

const handler: NetlifyHandler = createNetlifyHandler(new URL('./function/', import.meta.url))
export default handler
