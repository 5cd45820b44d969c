import { unwrap } from 'quarry-client'
import { content } from '../content'

export default async function Home() {
  const posts = unwrap(await content.posts.collect({ excludeContent: true }))
  return (
    <ul>
      {posts.map(({ slug, title }) => (
        <li key={slug}>
          <a href={`/posts/${slug}`}>{title}</a>
        </li>
      ))}
    </ul>
  )
}
