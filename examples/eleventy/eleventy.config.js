import { createClient, unwrap } from 'quarry-client'

const url = process.env.QUARRY_URL ?? 'http://127.0.0.1:4321'

export default function (eleventy) {
  eleventy.addGlobalData('posts', async () => {
    const content = createClient({ url, workspace: 'handbook' })
    return unwrap(await content.posts.collect())
  })
}

export const config = { dir: { input: 'src', output: '_site' } }
