import { describe, expect, it } from 'vitest'
import { ApiError, type ErrorStatus, errorJson, errorLabels } from '../../src/api/errors.ts'

const labels: readonly (readonly [ErrorStatus, string])[] = [
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [410, 'Gone'],
  [414, 'URI Too Long'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [500, 'Internal Server Error'],
]

describe('errorJson', () => {
  it.each(labels)('has error, details and message in every v1 body: %j', (status, label) => {
    const json = errorJson('v1', new ApiError(status, 'Why.', { retryAfterSeconds: 60 }))
    const retry = status === 429 ? ',"retryAfter":60' : ''
    expect(json).toBe(`{"error":"${label}","details":null,"message":"Why."${retry}}`)
  })

  it.each(labels)('has error and message in every v2 body: %j', (status, label) => {
    const json = errorJson('v2', new ApiError(status, 'Why.', { retryAfterSeconds: 60 }))
    const more = { 400: ',"details":null', 429: ',"retryAfter":60' }[status as number] ?? ''
    expect(json).toBe(`{"error":"${label}","message":"Why."${more}}`)
  })

  it('lists the bad fields, in both versions', () => {
    const error = new ApiError(400, 'Bad.', { details: [{ field: 'limit', message: 'must "be"' }] })
    const details = '"details":[{"field":"limit","message":"must \\"be\\""}]'
    expect(errorJson('v1', error)).toBe(`{"error":"Bad Request",${details},"message":"Bad."}`)
    expect(errorJson('v2', error)).toBe(`{"error":"Bad Request","message":"Bad.",${details}}`)
  })

  it('has whole seconds to wait on 429 even where none are told', () => {
    expect(JSON.parse(errorJson('v2', new ApiError(429, 'Wait.'))).retryAfter).toBe(1)
  })
})

describe('errorLabels', () => {
  it('knows every status that a request is refused with, and no other', () => {
    expect(Object.entries(errorLabels)).toEqual(
      labels.map(([status, label]) => [`${status}`, label]),
    )
  })
})
