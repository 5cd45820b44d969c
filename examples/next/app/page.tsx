import Image from 'next/image'
import { unwrap } from 'quarry-client'
import { content } from '../content'

export default async function Home() {
  const posts = unwrap(await content.posts.collect({ excludeContent: true }))
  return (
    <ul>
      {posts.map(({ slug, title, derived: { cover } = {} }) => (
        <li key={slug}>
          {cover && (
            <Image
              src={cover.src}
              width={cover.width ?? 640}
              height={cover.height ?? 360}
              placeholder={cover.preview ? 'blur' : 'empty'}
              blurDataURL={cover.preview ?? undefined}
              alt=""
            />
          )}
          <a href={`/posts/${slug}`}>{title}</a>
        </li>
      ))}
    </ul>
  )
}
