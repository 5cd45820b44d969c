// Results of pure functions, cached across builds under a hash of their inputs.
import { hash } from 'node:crypto'
import type { Awaitable } from '../api/snapshot.ts'
import type { Cache } from '../cache/cache.ts'
import type { CacheRecord } from '../cache/cache-record.ts'
import type { PackedPart } from '../cache/part-place.ts'

/** A cached value: named bytes. */
export type Parts = Readonly<Record<string, PackedPart>>

/**
 * A named pure function: equal keys imply equal values. An input refers to other values by their digests. So a rule
 * with unchanged inputs does not run, even when their own rules ran again (early cut-off).
 */
export interface Rule<Input, Value> {
  /** Unique among all rules. */
  readonly name: string
  /** Text that identifies the whole input. */
  readonly keyOf: (input: Input) => string
  /** Depends only on its input. Imports its own dependencies when it runs. */
  readonly run: (input: Input) => Awaitable<Parts>
  /** Decodes a record. Most parts are read on first use. */
  readonly valueOf: (record: CacheRecord, input: Input) => Value
}

/** A rule whose values are computed elsewhere and added: in threads, or together with other values. */
export type StoredRule<Input, Value> = Omit<Rule<Input, Value>, 'run'>

/** Options of a memo. */
export interface MemoOptions {
  /** Changes with the code of the rules. */
  readonly version: string
  /** Also runs rules that have a stored value, and compares the results. @default false */
  readonly isVerified?: boolean | undefined
}

/** A rule returned two values for one input: it depends on something that its key does not contain. */
export class ImpureRuleError extends Error {
  override readonly name = 'ImpureRuleError'

  constructor(rule: string) {
    super(`The rule "${rule}" gave another value for the same input.`)
  }
}

/** The rules of one version, with their values in one cache. */
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

  /** Number of runs by rule name. */
  get runs(): ReadonlyMap<string, number> {
    return this.#runs
  }

  /**
   * Returns the stored value of an input, or runs the rule.
   *
   * @throws CacheDamageError when the cache is damaged
   * @throws ImpureRuleError when a verified value differs
   * @throws the errors of the rule
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

  /** Returns the stored value of an input, if any. @throws CacheDamageError when the cache is damaged */
  find<Input, Value>(rule: StoredRule<Input, Value>, input: Input): Value | undefined {
    const stored = this.#cache.find(this.keyOf(rule, input))
    return stored && rule.valueOf(stored, input)
  }

  /** Returns the record of a key, for values whose keys are posted to threads. */
  findKey(key: string): CacheRecord | undefined {
    return this.#cache.find(key)
  }

  /** Stores the value of a key. */
  addKey(key: string, parts: Parts): void {
    this.#cache.add(key, parts)
  }

  /** Reports whether the value of an input is stored, and marks it as used. */
  has<Input, Value>(rule: StoredRule<Input, Value>, input: Input): boolean {
    return this.#cache.find(this.keyOf(rule, input)) !== undefined
  }

  /** Returns the stored value of an input, or computes it with `make`, for rules that need state of their caller. */
  getMade<Input, Value>(rule: StoredRule<Input, Value>, input: Input, make: () => Parts): Value {
    return this.find(rule, input) ?? this.add(rule, input, make())
  }

  /** Returns the key of a value, in hexadecimal. Other inputs can contain it, and threads can receive it. */
  keyOf<Input, Value>({ name, keyOf }: StoredRule<Input, Value>, input: Input): string {
    return hash('sha256', `${this.#version} ${name} ${keyOf(input)}`)
  }

  /** Stores a value that was computed elsewhere, replacing that of an equal input. */
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
    // Decoded from the cache, as in the next build, so that fresh and stored values cannot differ.
    return rule.valueOf(this.#cache.add(key, parts), input)
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
