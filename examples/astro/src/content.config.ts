import { defineCollection } from 'astro:content'
import { z } from 'astro/zod'
import { quarry } from 'quarry/astro'
import type { Post } from 'quarry/client'
import type { Site } from '../.quarry/handbook/fields.d.ts'

const handbook = quarry({ workspace: 'handbook' })

export const collections = {
  posts: defineCollection({ loader: handbook.posts, schema: z.custom<Post<Site>>() }),
  tags: defineCollection({ loader: handbook.tags }),
}
