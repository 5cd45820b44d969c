// Damage to the files of a function, as by a disk, a network or a careless user.
import fc, { type Arbitrary } from './fast-check.ts'

/** Damage to one file. Positions are fractions, so that they fit files of any size. */
export interface Damage {
  readonly kind: DamageKind
  /** The position of the file in the list, from 0 up to 1. */
  readonly file: number
  /** The position in the file, from 0 up to 1. */
  readonly at: number
  /** The position of another file in the list, from 0 up to 1. */
  readonly other: number
  /** The change of a byte; never 0. */
  readonly change: number
}

/** Kinds of damage. `taken` means the content of another file under this name. */
export type DamageKind = 'bit' | 'zeros' | 'cut' | 'taken'

const part = fc.nat(0x7fffffff).map((number) => number / 0x80000000)

/** Any damage, with an even distribution. */
export const anyDamage: Arbitrary<Damage> = fc.noBias(
  fc.record({
    kind: fc.constantFrom('bit', 'zeros', 'cut', 'taken'),
    file: part,
    at: part,
    other: part,
    change: fc.integer({ min: 1, max: 255 }),
  }),
)

/**
 * Returns a damaged file.
 *
 * @param names names of all files, in a fixed order
 * @returns its name and its bytes; null if the damage changes no byte
 */
export function damageOne(
  names: readonly string[],
  read: (name: string) => Uint8Array,
  damage: Damage,
): { readonly name: string; readonly bytes: Uint8Array } | null {
  const nameAt = (place: number) => names[Math.floor(place * names.length)] ?? ''
  const name = nameAt(damage.file)
  const whole = Buffer.from(read(name))
  const bytes =
    damage.kind === 'taken' ? Buffer.from(read(nameAt(damage.other))) : damageBytes(whole, damage)
  return bytes.equals(whole) ? null : { name, bytes: new Uint8Array(bytes) }
}

function damageBytes(whole: Buffer, { kind, at, change }: Damage): Buffer {
  const { length } = whole
  const place = Math.floor(at * length)
  const bytes = Buffer.from(whole)
  if (kind === 'cut') return bytes.subarray(0, place)
  if (kind === 'zeros') return bytes.fill(0, place, Math.min(place + 512, length))
  bytes[place] = (bytes[place] ?? 0) ^ (1 << (change & 7))
  return bytes
}
