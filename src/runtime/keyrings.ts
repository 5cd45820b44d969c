// Combines the keys of the served build with those of the environment.
import { createKeyring, type Keyring } from './keys.ts'
import type { SiteHead } from './site.ts'

/**
 * Returns a function that creates one keyring per build.
 *
 * @param environmentKeys the value of `QUARRY_KEYS`
 * @throws KeyringError at once when the value is malformed
 */
export function keyringOf(environmentKeys = ''): (site: SiteHead) => Keyring {
  createKeyring([], environmentKeys)
  const rings = new WeakMap<SiteHead, Keyring>()
  return (site) => {
    const known = rings.get(site)
    if (known !== undefined) return known
    const ring = createKeyring(site.keys, environmentKeys)
    rings.set(site, ring)
    return ring
  }
}
