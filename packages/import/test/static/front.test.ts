import { describe, expect, it } from 'vitest'
import { readByline } from '../../src/static/authors.ts'
import { momentInPath, readMoment } from '../../src/static/moments.ts'

describe('dates', () => {
  it.each([
    ['2024-05-06', '2024-05-06T00:00:00.000Z'],
    ['2024/5/6', '2024-05-06T00:00:00.000Z'],
    ['2024-05-06 07:08:09.123456789 +02:00', '2024-05-06T05:08:09.123Z'],
    ['May 6, 2024', '2024-05-06T00:00:00.000Z'],
    ['6th May 2024 10:00 PM', '2024-05-06T22:00:00.000Z'],
    ['Fri Sep 3 11:21:31 CEST 2021', '2021-09-03T09:21:31.000Z'],
    ['2024-02-30', undefined],
    ['true', undefined],
    ['yesterday', undefined],
  ])('%j is %j', (text, date) => {
    expect(readMoment(text)).toBe(date)
  })

  it.each([
    ['_posts/2024-05-06-a.md', '2024-05-06'],
    ['blog/2024/05/06/a.md', '2024-05-06'],
    ['blog/2024-05-06-a/index.md', '2024-05-06'],
    ['blog/a-2024.md', undefined],
  ])('in the path %j is %j', (path, date) => {
    expect(momentInPath(path)?.slice(0, 10)).toBe(date)
  })
})

describe('bylines', () => {
  const names = (value: Parameters<typeof readByline>[0]) =>
    readByline(value, (text) => text === 'ada').authors.map(({ name }) => name)

  it.each([
    ['Ada Lovelace', ['Ada Lovelace']],
    ['ada', ['ada']],
    [
      ['ada', { name: 'Bob' }],
      ['ada', 'Bob'],
    ],
    [
      'Ada Lovelace, Bob Roberts, and Carla de Souza',
      ['Ada Lovelace', 'Bob Roberts', 'Carla de Souza'],
    ],
    ['hone and zzak', ['hone', 'zzak']],
    ['Ada ([@ada](https://twitter.com/ada)), counting numbers', ['Ada']],
    ['[Ada](https://ada.example), [Bob](https://bob.example)', ['Ada', 'Bob']],
    ['Ada Lovelace (@ada)', ['Ada Lovelace']],
    ['Ada (ada@example.com) & Bob (bob@example.com)', ['Ada', 'Bob']],
    ['the team: Ada Lovelace and Bob Roberts', ['Ada Lovelace', 'Bob Roberts']],
    ['the Blink and V8 teams', ['the Blink and V8 teams']],
    ['Josh Aas, ISRG Executive Director', ['Josh Aas']],
    [null, []],
  ])('%j are %j', (value, expected) => {
    expect(names(value)).toEqual(expected)
  })

  it('keep a text that says more than the names', () => {
    const more = readByline('Josh Aas, ISRG Executive Director', () => false)
    expect(more.text).toBe('Josh Aas, ISRG Executive Director')
    expect(readByline('Ada Lovelace and Bob Roberts', () => false).text).toBeUndefined()
  })
})
