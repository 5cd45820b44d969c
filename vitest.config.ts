import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import fastGlob from 'fast-glob'
import { configDefaults, defineConfig } from 'vitest/config'
import { memoryEnvironment } from './test/support/memory-folder.ts'

/** Suites of hosts, faults, browsers, languages and fuzzing; the others finish within minutes. */
const longTests = ['test/**/*.long.test.ts', 'packages/*/test/**/*.long.test.ts']
const allTests = ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts']

const shortTests = fastGlob.sync(allTests, { ignore: longTests })

/** Suites that try fewer cases in the short project. */
const sampledTests = shortTests.filter((path) =>
  readFileSync(path, 'utf8').includes("/fast-check.ts'"),
)

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    // They end what hangs: the slowest test takes seconds, and a busy machine many times as long.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    setupFiles: 'test/support/setup.ts',
    // A dot for each test, and failures whole; the JSON report is for the closing line of continuous integration.
    reporters: ['dot', 'json'],
    silent: 'passed-only',
    outputFile: { json: 'node_modules/.cache/test-report.json' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'packages/*/src/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'short',
          include: allTests,
          exclude: [...configDefaults.exclude, ...longTests],
          env: memoryEnvironment(),
          // Every file would load the modules of `src` again: a fifth of the processor time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: longTests,
          // Those that install packages need a gigabyte.
          env: { ...memoryEnvironment(8), QUARRY_CASES: 'all' },
        },
      },
      {
        extends: true,
        test: {
          name: 'cases',
          include: sampledTests,
          env: { ...memoryEnvironment(), QUARRY_CASES: 'all' },
        },
      },
    ],
  },
})
