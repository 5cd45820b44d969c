// The keys of the build that is served, with those of the environment.
import { createKeyring, type Keyring } from './keys.ts'
import type { SiteHead } from './site.ts'

/**
 * One keyring a build.
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
