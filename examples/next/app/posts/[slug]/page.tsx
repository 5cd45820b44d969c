import { notFound } from 'next/navigation'
import { unwrap } from 'quarry-client'
import { content } from '../../../content'

export async function generateStaticParams() {
  const posts = unwrap(await content.posts.collect({ excludeContent: true }))
  return posts.map(({ slug }) => ({ slug }))
}

export default async function Page({ params }: { params: Promise<{ slug: string }> }) {
  const { slug } = await params
  const result = await content.posts.get(decodeURIComponent(slug))
  if (!result.ok && result.error.type === 'not-found') notFound()
  const post = unwrap(result)
  return (
    <article>
      <h1>{post.title}</h1>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the API sanitises every post */}
      <div dangerouslySetInnerHTML={{ __html: post.content }} />
    </article>
  )
}
