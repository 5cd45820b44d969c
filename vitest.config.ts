import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { memoryEnvironment } from './test/support/memory-folder.ts'

/** Suites of hosts, faults, browsers, languages and fuzzing; the others finish within minutes. */
const longTests = 'test/**/*.long.test.ts'

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // The JSON report is for the closing line of continuous integration.
    reporters: ['default', 'json'],
    outputFile: { json: 'node_modules/.cache/test-report.json' },
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'short',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, longTests],
          env: memoryEnvironment(),
        },
      },
      { extends: true, test: { name: 'long', include: [longTests] } },
    ],
  },
})
