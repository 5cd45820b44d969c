// The public API of the package.
export type { PostKeys } from './api/post-keys.ts'
export type { Format, Version } from './api/request.ts'
export { type BuildOptions, type BuildResult, build } from './build/build.ts'
export { OutputError } from './build/disk.ts'
export type {
  ContentView,
  DevEvent,
  PageSite,
  ViewedPost,
  ViewedWorkspace,
} from './build/explorer-page.ts'
export type { Manifest } from './build/manifest.ts'
export {
  defineConfig,
  type QuarryConfig,
  resolveSettings,
  type Settings,
  UseError,
} from './config.ts'
export { BuildError, type Diagnostic, type Severity } from './diagnostics.ts'
