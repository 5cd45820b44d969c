// Decides whether the old site publishes a post: one table of front-matter keys for every generator of files.
import { asList, isMap, textAt, type Values, valueAt } from './front.ts'
import { readMoment } from './moments.ts'

/** The context of a decision: instants are compared with `now`, ISO 8601. */
export interface Publication {
  readonly now: string
  /** IANA time zone of dates without an offset. */
  readonly zone?: string | undefined
  /** Keys of the end of publication that the site's configuration adds. */
  readonly expiryKeys?: readonly string[] | undefined
}

const yes = /^(?:true|yes|y|on|t|1)$/i
const no = /^(?:false|no|n|off|f|0)$/i
const neverRendered = /^(?:false|no|n|off|f|0|never|link)$/i
const anything = /./
const restricted = new RegExp(
  `^(?:${[
    ...['drafts?', 'wip', 'work[ _-]in[ _-]progress', 'pending(?:[ _-]review)?', 'in[ _-]review'],
    ...['private', 'hidden', 'unlisted', 'unpublished', 'not[ _-]published', 'skip', 'archived?'],
    ...['trash(?:ed)?', 'deleted', 'removed', 'expired', 'auto-draft', 'inherit', 'sent'],
    ...['members?', 'paid', 'tiers', 'subscribers?', 'premium', 'internal', 'restricted'],
    ...['protected', 'password', 'embargo(?:ed)?'],
  ].join('|')})$`,
  'i',
)

/** Keys, also below `params` and `extra`, with the values by which a site withholds a post. */
const table: readonly (readonly [keys: readonly string[], values: RegExp])[] = [
  // Any value but a clear no: a typing error must not publish a draft.
  [['draft', 'isDraft', 'is_draft'], /^(?!(?:false|no|n|off|f|0)$)/i],
  [
    [
      ...['unlisted', 'isUnlisted', 'private', 'isPrivate', 'is_private', 'hidden', 'isHidden'],
      ...['is_hidden', 'hide', 'headless', 'unpublished', 'archived', 'isArchived', 'wip'],
      ...['trashed', 'deleted', 'membersOnly', 'members_only', 'embargoed', 'secret'],
      ...['eleventyExcludeFromCollections', 'excludeFromCollections'],
    ],
    yes,
  ],
  [
    [
      ...['published', 'publish', 'public', 'isPublished', 'is_published', 'isPublic', 'visible'],
      ...['isVisible', 'listed', 'isListed', 'permalink', 'permalink.build'],
      ...['eleventyComputed.permalink'],
    ],
    no,
  ],
  [['render', 'build.render', '_build.render', 'build.list', '_build.list'], neverRendered],
  [
    ['status', 'state', 'post_status', 'publish_status', 'publication_status', 'visibility'],
    restricted,
  ],
  [['access', 'publicationStatus', 'postStatus', 'publishStatus'], restricted],
  [['password'], anything],
  [['eleventyComputed.eleventyExcludeFromCollections'], yes],
  // A template that may be false.
  [['permalink', 'eleventyComputed.permalink'], /^[^{]*\{[\s\S]*\bfalse\b/],
]

/** Keys of the end of publication. */
const expiryKeys = [
  ...['expiryDate', 'unpublishDate', 'expires', 'expiresAt', 'expires_at', 'expires_on', 'expiry'],
  ...['expiry_date', 'expirationDate', 'expiration_date', 'expireDate', 'expire_date'],
  ...['unpublish_date', 'unpublishAt', 'unpublish_at', 'unpublishOn', 'unpublish_on'],
] as const

/** The key and value by which the site withholds a post, such as `published: no`; undefined for a public post. */
export function withheldBy(values: Values, publication: Publication): string | undefined {
  const spelled = inOneSpelling(values)
  for (const [keys, withholding] of table)
    for (const key of keys.flatMap((name) => [name, `params.${name}`, `extra.${name}`])) {
      const text = asList(valueAt(spelled, key)).find(
        (value) => typeof value === 'string' && withholding.test(value.trim()),
      )
      if (text !== undefined)
        return `\`${key}: ${withholding === anything ? '…' : String(text).trim().slice(0, 40)}\``
    }
  // Jekyll: `published:` without a value is not true.
  if (valueAt(values, 'published') === null) return '`published:` without a value'
  const expiry = expiryOf(values, publication)
  return expiry !== undefined && expiry.at <= publication.now
    ? `\`${expiry.key}\` is in the past`
    : undefined
}

/** Values also by their keys without `-` and `_`: `is-draft` is `isDraft`. */
export function inOneSpelling(values: Values): Values {
  const spelled = Object.entries(values).map(([key, value]) => [
    key.replace(/[-_]/g, ''),
    isMap(value) ? inOneSpelling(value) : value,
  ])
  return { ...Object.fromEntries(spelled), ...values }
}

/** The key and the instant of the end of publication. */
export function expiryOf(
  values: Values,
  { zone, expiryKeys: configured = [] }: Publication,
): { readonly key: string; readonly at: string } | undefined {
  const spelled = inOneSpelling(values)
  for (const key of [...configured, ...expiryKeys]) {
    const at = readMoment(textAt(spelled, key) ?? '', zone)
    if (at !== undefined) return { key, at }
  }
  return undefined
}

/** The key that hides a post from search engines alone; the post is public. */
export function hiddenFromSearch(values: Values): string | undefined {
  const keys = ['noindex', 'noIndex', 'no_index'].find((key) => yes.test(textAt(values, key) ?? ''))
  const robots = asList(valueAt(values, 'robots')).some((value) => /noindex/i.test(String(value)))
  return keys ?? (robots ? 'robots' : undefined)
}
