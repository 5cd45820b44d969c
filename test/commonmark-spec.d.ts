// The examples of the specification, which their package has no types for.
declare module 'commonmark-spec' {
  /** `→` is a tab. */
  export const tests: readonly { readonly markdown: string }[]
}
