// Sources bundled as those of the render thread are, or with their packages as they are.
// Knows nothing of what is in them.

/** @param isQuick as in the render thread; false for the packages as they are */
type BundleForThread = (entry: string, outfile: string, isQuick: boolean) => Promise<void>

const tools = new URL('../../.tools/thread-bundle.mjs', import.meta.url)
const loaded: { readonly bundleForThread: BundleForThread } = await import(tools.href)

export const bundleForThread: BundleForThread = loaded.bundleForThread
