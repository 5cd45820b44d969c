// create-quarry, installed as a tarball next to quarry's: a project in one command.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { installInto, packPackage } from '../support/packed.ts'

describe('create-quarry', () => {
  it('creates a project as quarry init does, with its flags', () => {
    const folder = mkdtempSync(join(tmpdir(), 'create-quarry-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    installInto(folder, [packPackage('quarry', folder), packPackage('create-quarry', folder)])
    const words = ['--no-install', 'create-quarry', 'my-site', '--template', 'docs', '--yes']
    const output = execFileSync('npx', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
    expect(output).toContain('my-site')
    const { scripts } = JSON.parse(readFileSync(join(folder, 'my-site/package.json'), 'utf8'))
    expect(scripts.build).toBe('quarry build')
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const own = JSON.parse(readFileSync('packages/create-quarry/package.json', 'utf8'))
    expect([own.version, own.dependencies]).toEqual([version, { quarry: version }])
  }, 120_000)
})
