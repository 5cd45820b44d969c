// The entry point of a Vercel deployment, bundled into one file with its data next to it.
import { createVercelHandler, type VercelHandler } from './handler.ts'

const handler: VercelHandler = createVercelHandler(new URL('./function/', import.meta.url))
export default handler
