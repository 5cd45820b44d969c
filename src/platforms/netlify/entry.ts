// The function that a deployment to Netlify runs, bundled into one file with its data next to it.
import { createNetlifyHandler, type NetlifyHandler } from './handler.ts'

const handler: NetlifyHandler = createNetlifyHandler(new URL('./function/', import.meta.url))
export default handler
