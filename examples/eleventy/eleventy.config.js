import { createClient, unwrap } from 'quarry-client'

const url = process.env.QUARRY_URL ?? 'http://127.0.0.1:4321'

export default function (eleventy) {
  eleventy.addGlobalData('posts', async () => {
    const content = createClient({ url, workspace: 'handbook' })
    const posts = unwrap(await content.posts.collect())
    return posts.map((post) => ({ ...post, content: withWidths(post) }))
  })
}

// Needs `media.widths` and `derived: [images]`.
function withWidths({ content, derived }) {
  return (derived?.images ?? []).reduce((html, { src, width, height, variants }) => {
    const srcset = variants?.map(({ url, width }) => `${url} ${width}w`).join()
    const added = `srcset="${srcset}" sizes="100vw" width="${width}" height="${height}"`
    return srcset ? html.replaceAll(` src="${src}"`, ` src="${src}" ${added}`) : html
  }, content)
}

export const config = { dir: { input: 'src', output: '_site' } }
