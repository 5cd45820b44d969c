// The public API for programs that write content, such as quarry-import: the names, dates and front matter that a
// build accepts, its renderer, and functions that write files whole.
export { parseDate } from './api/dates.ts'
export type { ResourceKind, TermKind } from './api/resources.ts'
export { codeOf, RealFolders, writeNewFile } from './build/disk.ts'
export { withLock } from './build/lock.ts'
export { exitCodes, explainFailure } from './cli/report.ts'
export { type CommonFlags, parseAddress, parseText, readSettings } from './cli/settings.ts'
export { formatCount, plural, type Terminal, terminalOf } from './cli/terminal.ts'
export { readDocument } from './content/document.ts'
export type { YamlMap, YamlValue } from './content/raw.ts'
export {
  decodeText,
  imageBytesMax,
  imageExtension,
  imageTypeOf,
  readFileBytes,
} from './content/read-file.ts'
export { parseYaml } from './content/yaml.ts'
export { UseError } from './diagnostics.ts'
export { createRenderPool, type RenderPool } from './markdown/pool.ts'
export { schema } from './markdown/schema.ts'
export type { FieldType } from './model/custom-fields.ts'
export {
  foldCase,
  identifierBytesMax,
  identifierProblem,
  slugify,
  splitFileName,
  workspaceProblem,
} from './model/identifier.ts'
export { judgeKey } from './model/withheld-keys.ts'
export { visibleText } from './snapshot/visible-text.ts'
