import { describe, expect, it } from 'vitest'
import { problemsOf } from '../src/problems.ts'

describe('the problems of a refused request', () => {
  it('are those of its fields, as sentences', () => {
    const details = [{ field: 'limit', message: 'must be an integer' }, null, { field: 1 }]
    expect(problemsOf({ status: 400, json: { message: 'Invalid.', details } })).toEqual([
      { field: 'limit', message: 'limit must be an integer.' },
    ])
  })

  it.each([401, 403])('belong to the key for a %i', (status) => {
    const json = { error: 'Refused', message: 'Missing or invalid API key.' }
    expect(problemsOf({ status, json })).toEqual([
      { field: 'key', message: 'Missing or invalid API key.' },
    ])
  })

  it.each([
    [200, { details: [{ field: 'limit', message: 'must be an integer' }] }],
    [404, { details: null, message: 'Tag not found.' }],
    [502, undefined],
  ])('are none for a %i without fields', (status, json) => {
    expect(problemsOf({ status, json })).toEqual([])
  })
})
