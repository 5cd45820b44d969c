// Values of pure functions, stored from one build to the next and found by what they were made of.
import { hash } from 'node:crypto'
import type { Awaitable } from '../api/snapshot.ts'
import type { Cache } from '../cache/cache.ts'
import type { CacheRecord } from '../cache/cache-record.ts'
import type { PackedPart } from '../cache/part-place.ts'

/** A value as the cache stores it: named bytes. */
export type Parts = Readonly<Record<string, PackedPart>>

/**
 * A pure function with a name: equal keys promise equal values. An input names other values by their digests, so that a
 * rule whose inputs came out equal does not run, whatever was made again below it (early cut-off).
 */
export interface Rule<Input, Value> {
  /** Unique among all rules. */
  readonly name: string
  /** Text that represents the whole input. */
  readonly keyOf: (input: Input) => string
  /** Reads nothing but its input. It imports what only it needs when it runs. */
  readonly run: (input: Input) => Awaitable<Parts>
  /** The value of a record; most parts are read when they are needed. */
  readonly valueOf: (record: CacheRecord, input: Input) => Value
}

/** A rule whose values are made elsewhere, and added: in threads, or with what else is made next to them. */
export type StoredRule<Input, Value> = Omit<Rule<Input, Value>, 'run'>

/** How a memo works. */
export interface MemoOptions {
  /** Changes with the code of the rules. */
  readonly version: string
  /** Runs each rule whose value is there, and compares. @default false */
  readonly isVerified?: boolean | undefined
}

/** A rule gave two values for one input: it reads what its key does not tell. */
export class ImpureRuleError extends Error {
  override readonly name = 'ImpureRuleError'

  constructor(rule: string) {
    super(`The rule "${rule}" gave another value for the same input.`)
  }
}

/** The rules of one version over one cache. */
export class Memo {
  readonly #cache: Cache
  readonly #version: string
  readonly #isVerified: boolean
  readonly #runs = new Map<string, number>()

  constructor(cache: Cache, { version, isVerified = false }: MemoOptions) {
    this.#cache = cache
    this.#version = version
    this.#isVerified = isVerified
  }

  /** How often each rule ran, by its name. */
  get runs(): ReadonlyMap<string, number> {
    return this.#runs
  }

  /**
   * The value for an input, made where it is not stored.
   *
   * @throws CacheDamageError when the cache is damaged; ImpureRuleError; what the rule throws
   */
  async get<Input, Value>(rule: Rule<Input, Value>, input: Input): Promise<Value> {
    const key = this.keyOf(rule, input)
    const stored = this.#cache.find(key)
    if (stored !== undefined && !this.#isVerified) return rule.valueOf(stored, input)
    const parts = await rule.run(input)
    if (stored === undefined) return this.#add(rule, input, key, parts)
    const again = this.#cache.add(key, parts)
    if (!Object.keys(parts).every((part) => isEqual(stored.digest(part), again.digest(part)))) {
      throw new ImpureRuleError(rule.name)
    }
    return rule.valueOf(stored, input)
  }

  /** The value for an input, where it is stored. @throws CacheDamageError when the cache is damaged */
  find<Input, Value>(rule: StoredRule<Input, Value>, input: Input): Value | undefined {
    const stored = this.#cache.find(this.keyOf(rule, input))
    return stored && rule.valueOf(stored, input)
  }

  /** The record of a key: for values whose keys are posted to threads. */
  findKey(key: string): CacheRecord | undefined {
    return this.#cache.find(key)
  }

  /** Stores a value that was made for a key. */
  addKey(key: string, parts: Parts): void {
    this.#cache.add(key, parts)
  }

  /** Whether the value for an input is stored; it counts as used. */
  has<Input, Value>(rule: StoredRule<Input, Value>, input: Input): boolean {
    return this.#cache.find(this.keyOf(rule, input)) !== undefined
  }

  /** The value for an input, made at once where it is not stored: for rules that need what their caller has. */
  getMade<Input, Value>(rule: StoredRule<Input, Value>, input: Input, make: () => Parts): Value {
    return this.find(rule, input) ?? this.add(rule, input, make())
  }

  /** The key of a value, hexadecimal: it can represent the value in other inputs, and be posted to threads. */
  keyOf<Input, Value>({ name, keyOf }: StoredRule<Input, Value>, input: Input): string {
    return hash('sha256', `${this.#version} ${name} ${keyOf(input)}`)
  }

  /** Stores a value that was made elsewhere; it replaces the one of the same input. */
  add<Input, Value>(rule: StoredRule<Input, Value>, input: Input, parts: Parts): Value {
    return this.#add(rule, input, this.keyOf(rule, input), parts)
  }

  #add<Input, Value>(
    rule: StoredRule<Input, Value>,
    input: Input,
    key: string,
    parts: Parts,
  ): Value {
    this.#runs.set(rule.name, (this.#runs.get(rule.name) ?? 0) + 1)
    // Read back, as the next build will: so no value depends on having been made just now.
    return rule.valueOf(this.#cache.add(key, parts), input)
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
