// A configuration that is no JSON or no TypeScript: the place of the error, whatever the parser says of it.
import { describe, expect, it } from 'vitest'
import { loadConfig, syntaxErrorIn } from '../../src/config.ts'
import fc from '../support/fast-check.ts'
import { temporarySite } from '../support/temporary-site.ts'

function errorOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error
  }
}

function placeIn(text: string): string | null {
  const found = syntaxErrorIn(text, errorOf(text))
  return found && `${found.line}:${found.column}`
}

describe('the place of a syntax error in JSON', () => {
  it.each([
    ['{\n  "port": 80,\n  "out": dist\n}\n', '3:10'],
    ['{ "port": 80, }', '1:15'],
    ['{ "port": 80 "out": 1 }', '1:14'],
    ["{ 'port': 80 }", '1:3'],
    ['{\n  "out": ', '2:9'],
    ['{ "out": "a\nb" }', '1:12'],
    ['', '1:1'],
    ['{} x', '1:4'],
  ])('is found: %j', (text, place) => {
    expect(placeIn(text)).toBe(place)
  })

  it('is the first character that no JSON has there', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (json, at) => {
        const line = JSON.stringify({ value: JSON.parse(json) })
        const place = at % line.length
        const text = `${line.slice(0, place)}\u0001${line.slice(place)}`
        expect(placeIn(text)).toBe(`1:${place + 1}`)
      }),
    )
  })

  it('is absent for other errors', () => {
    expect(syntaxErrorIn('', new Error('broken'))).toBeNull()
    expect(syntaxErrorIn('', 'broken')).toBeNull()
  })
})

it.each([
  ['quarry.config.json', '{\n  "out": dist\n}\n', '2:10'],
  ['quarry.config.ts', 'export default {\n  out: = 3,\n}\n', '2:8'],
  ['quarry.config.js', 'export default {\n  out: = 3,\n}\n', '2:8'],
])('%s names the line and the column of its error, and has the line', async (name, text, place) => {
  const site = temporarySite().write(name, text)
  const error = await loadConfig(site.folder).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    message: expect.stringContaining(`${name}:${place} Unexpected token`),
    at: { lineText: text.split('\n')[1] },
  })
})
