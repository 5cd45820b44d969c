// A log of requests as a site gets them: 90 % canonical, over posts and pages by Zipf's law, 5 % filters, 3 % searches,
// 2 % garbage. The same seed gives the same log.
import { mulberry32 } from '../../bench/corpus.ts'

/** Posts of the workspace `bench` that the log is about. */
export const deliveryPosts = 200

/** A request of the log. */
export interface LoggedRequest {
  readonly kind: 'canonical' | 'filter' | 'search' | 'garbage'
  readonly target: string
}

const base = '/v1/bench'

/** The targets of a log. */
export function deliveryLog(requests: number, seed = 22): readonly LoggedRequest[] {
  const random = mulberry32(seed)
  const below = (count: number) => Math.min(count - 1, Math.floor(count ** random()) - 1)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const canonical = (): string => {
    const dice = random()
    if (dice < 0.5) return `/posts/post-${deliveryPosts - 1 - below(deliveryPosts)}`
    if (dice < 0.85) return `/posts?page=${1 + below(deliveryPosts / 10)}`
    const one = `post-${below(deliveryPosts)}`
    return pick([
      '/categories',
      '/tags',
      '/authors',
      '/tags?include=posts',
      `/posts/${one}?format=markdown`,
    ])
  }
  const filter = () =>
    pick([
      `?tags=tag-${below(20)}`,
      `?categories=category-${below(6)}&limit=5`,
      `?excludeTags=tag-1&page=${1 + below(9)}`,
    ])
  const garbage = [
    ...[
      '/v1/bench/posts/nobody',
      '/v1/bench/posts?page=0',
      '/v1/bench/posts?page=999',
      '/v1/nowhere/posts',
    ],
    ...[
      '/v1/bench/posts?limit=101',
      '/wp-login.php',
      '/v1/bench/posts/%2e%2e%2fsite.json',
      '/v2/posts',
    ],
    ...['/responses/site.json', '/v1/bench/posts?strict=true&foo=1', '/function/root.json'],
  ]
  const one = (): LoggedRequest => {
    const dice = random()
    if (dice < 0.9) {
      const path = canonical()
      const campaign = random() < 0.2 ? `${path.includes('?') ? '&' : '?'}utm_source=mail` : ''
      return { kind: 'canonical', target: `${base}${path}${campaign}` }
    }
    if (dice < 0.95) return { kind: 'filter', target: `${base}/posts${filter()}` }
    const text = pick(['lo', 'wi', 'xoge', 'stone', 'a', 'nowhere at all'])
    if (dice < 0.98)
      return { kind: 'search', target: `${base}/posts?query=${encodeURIComponent(text)}` }
    return { kind: 'garbage', target: pick(garbage) }
  }
  return Array.from({ length: requests }, one)
}
