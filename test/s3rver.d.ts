declare module 's3rver' {
  /** A store of S3 that ignores conditions of creations. */
  export default class S3rver {
    constructor(options: {
      readonly port: number
      readonly silent: boolean
      readonly directory: string
      readonly configureBuckets: readonly { readonly name: string }[]
    })
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
  }
}
