// What a host is given: which program, which data and which configuration, as a description that one place
// writes down. Knows neither the disk nor any host.

/** A host's deployment. Paths are relative, with `/`. */
export interface HostDeployment {
  /** Where it is written, beside the output folder. */
  readonly folder: string
  /** Where the host's program goes; null where the host runs none of ours. */
  readonly program: string | null
  /** Where the function's files go. */
  readonly data: DeploymentData
  /** Configuration, by path. */
  readonly texts: Readonly<Record<string, string>>
  /** What deploys it, as it is typed beside the output folder. */
  readonly next: string
}

/** The function's files as they are, cut into parts, or not at all. */
export type DeploymentData =
  | { readonly form: 'whole'; readonly folder: string }
  | { readonly form: 'parts'; readonly folder: string; readonly partBytes: number }
  | { readonly form: 'none' }

/** JSON as a configuration file holds it. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
