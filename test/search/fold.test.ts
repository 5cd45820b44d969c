import { describe, expect, it } from 'vitest'
import { fold } from '../../src/search/fold.ts'
import fc from '../support/fast-check.ts'

/** Characters as a reader counts them, by script. */
const alphabets: Readonly<Record<string, readonly string[]>> = {
  latin: [...'aAzZ09.,-éÉñøØßẞœÆıİiIſĳŉçđ', 'e\u0301', 'A\u030a\u0301', 'ﬁ', 'ﬄ', 'ﬆ'],
  greek: [...'αΑσΣςάΆώΐὁᾳᾼῷΏϐϑϲ', 'α\u0301\u0345'],
  cyrillic: [...'аАёЁйЙїЇѐ', 'и\u0306', 'а\u0301'],
  hebrew: [...'אבשםמ־׳', 'שָׁ', 'לוֹ', '\ufb2a', '\ufb4f'],
  arabic: [...'ابمىي\u0640أإآؤئ', 'مُ', 'حَمَّ', '\ufefb', '\ufdfa', '\u200c', '٣', '۳'],
  indic: [...'कखहऩ', 'हि', 'न्दी', 'क\u093c', 'কো', 'ক\u09c7\u09be', 'கொ', 'ක\u0dd9\u0dca'],
  thai: ['ก', 'น้', 'น้ำ', 'ก็', 'ที่', 'เ', 'แ', 'າ', 'ນ້ຳ'],
  hangul: [
    ...'가각한글넵네ㄱㅏㄳㅋㅠㅎㄴㅇ㉠㉮㈀㈎',
    '\u1100\u1161',
    '\u1112\u1161\u11ab',
    'ﾡ',
    'ￂ',
    'ﾢ',
  ],
  kana: [
    ...'かがはばぱカガゔヷッーヿ',
    'か\u3099',
    'ハ\u309a',
    'ｶ',
    'ｶﾞ',
    'ﾊﾟ',
    'ｯ',
    '㌔',
    '㍿',
    'ゟ',
    '゛',
  ],
  han: [...'日本語文字漢神', '\ufa47', '\ufa19', '\u{20000}', '葛\u{e0100}', '㈱', '⼀'],
  symbols: [...'①½㎏™…´¨ªº²Ⅷⅷ≠∉ＡｂＣ１！￥', 'Å', '👩‍💻', '❤️', '1️⃣', '🇩🇪', '👍🏽', '́'],
  typed: [..."'’‘“«–—‑½〜´\u200d\ufe0f\u2060"],
  blanks: [
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    '\u2003',
    '\u3000',
    '\u2028',
    '\u0085',
    '\u200b',
    '\u00ad',
  ],
}
const everyCharacter = Object.values(alphabets).flat()

/** Texts of one script with blanks between, or of all at once. */
const texts = fc
  .constantFrom(...Object.values(alphabets), everyCharacter)
  .chain((alphabet) =>
    fc.array(fc.constantFrom(...alphabet, ...alphabet, ' '), { maxLength: 12, size: 'max' }),
  )
  .map((characters) => characters.join(''))

describe('fold', () => {
  it('loses no match: a part cut out between any two characters is found in its text', () => {
    const cuts = fc.tuple(texts, fc.nat(), fc.nat())
    fc.assert(
      fc.property(cuts, ([text, from, to]) => {
        const characters = charactersOf(text)
        const start = from % (characters.length + 1)
        const end = start + (to % (characters.length + 1 - start))
        const part = characters.slice(start, end).join('')
        fc.pre(!/^\p{M}/u.test(part))
        expect(fold(text)).toContain(fold(part))
      }),
      { numRuns: 5000 },
    )
  })

  it('does nothing more to what is folded', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
      { numRuns: 2000 },
    )
    // Many at a time, apart from one another: hundreds of thousands of calls take seconds.
    const changing = groupsOf(everyCodePoint(), 64)
      .map((group) => fold(group.join(' . ')))
      .filter((folded) => fold(folded) !== folded)
    expect(changing).toEqual([])
  })

  it('is the same for every normal form of a text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const form of ['NFC', 'NFD'] as const)
          expect(fold(text.normalize(form))).toBe(fold(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('takes any text, of any code units at all', () => {
    const units = fc.oneof(
      fc.nat({ max: 0xffff }),
      fc.constantFrom(
        0,
        0xd800,
        0xdbff,
        0xdc00,
        0xdfff,
        0x301,
        0x3099,
        0x94d,
        0xfeff,
        0xfffe,
        0xff9e,
      ),
    )
    fc.assert(
      fc.property(fc.array(units, { maxLength: 300, size: 'max' }), (codes) => {
        const folded = fold(String.fromCharCode(...codes))
        expect(fold(folded)).toBe(folded)
        expect(folded).not.toMatch(/\0|\p{Surrogate}|^ | $| {2}/u)
      }),
      { numRuns: 2000 },
    )
  })

  it('is the same for a text in upper and in lower case, where a letter has one of each', () => {
    const letters = [...'aAzZéÉñøØçđαΑάΆΏаАёЁйЙїЇ', 'e\u0301', 'σ', 'ς', 'Σ', 'ﾡ', '日']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...letters, ' ')), (characters) => {
        const text = characters.join('')
        expect(fold(text.toUpperCase())).toBe(fold(text))
        expect(fold(text.toLowerCase())).toBe(fold(text))
      }),
    )
  })

  it.each([
    ['case', 'QUARRY', 'quarry'],
    ['accents', 'Crème Brûlée', 'creme brulee'],
    ['accents that stand apart', 'Cre\u0300me', 'creme'],
    ['many accents on one letter', 'ệ ǭ ṩ', 'e o s'],
    ['a ring, a caron, a cedilla', 'Å š ç', 'a s c'],
    ['Vietnamese', 'Tiếng Việt', 'tieng viet'],
    ['Greek accents', 'ὁδός ΐ ᾷ', 'οδοσ ι α'],
    ['final sigma', 'ΟΔΟΣ ὁδὸς Σ ς', 'οδοσ οδοσ σ σ'],
    ['Cyrillic accents', 'Ёлка йод', 'елка иод'],
    ['Hebrew points', 'שָׁלוֹם', 'שלום'],
    ['Arabic vowels', 'مُحَمَّد', 'محمد'],
    ['Arabic presentation forms', '\ufefb', 'لا'],
    ['İ, which is i', 'İstanbul', 'istanbul'],
    ['long s', 'Waſſer', 'wasser'],
    ['ligatures', 'ﬁﬂ ﬄ ﬆ ĳ', 'fifl ffl st ij'],
    ['full width', 'ＡＢＣ１２３！', 'abc123!'],
    ['half width', 'ｶﾞｷﾞｸﾟ ﾊﾟﾝ', 'ガギク\u309a パン'],
    ['circled and Roman numbers', '① Ⅷ ⅷ', '1 viii viii'],
    ['fractions and powers', '½ m²', '1/2 m2'],
    ['signs of several letters', '™ ㎏ ㍿ …', 'tm kg 株式会社 ...'],
    ['compatibility ideographs', '\ufa47\ufa19', '漢神'],
    ['signs of units', '\u212a \u212b \u2126', 'k a ω'],
    ['apostrophes', 'it’s it‘s it‚s it‛s it´s itʼs it′s', "it's it's it's it's it's it's it's"],
    ['single guillemets, ʻokina, geresh', '‹a› Hawaiʻi ג׳', "'a' hawai'i ג'"],
    ['ŉ, an apostrophe and a letter', 'ŉ', "'n"],
    ['quotation marks', '“a” „b“ «c» ″ 〝d〟 צה״ל', '"a" "b" "c" " "d" צה"ל'],
    ['hyphens and dashes', 'a‐b a\u2011b a‒b a–b a—b a―b', 'a-b a-b a-b a-b a-b a-b'],
    ['the minus sign and maqaf', '−1 על־פי', '-1 על-פי'],
    ['the division slash', '1∕2', '1/2'],
    ['the wave dash', '1〜2 1～2', '1~2 1~2'],
    ['soft hyphens', 'co\u00adoperate', 'cooperate'],
    ['zero-width spaces and word joiners', 'a\u200bb\u2060c\ufeffd', 'abcd'],
    ['zero-width joiners and non-joiners', 'می\u200cشود ශ්\u200dරී', 'میشود ශ්රී'],
    ['marks of direction', '\u200fשלום\u200e', 'שלום'],
    ['tatweel', 'سـلام \ufe77', 'سلام'],
    ['joiners and selectors of emoji', '👩‍💻 ❤️ 1️⃣', '👩💻 ❤ 1\u20e3'],
    ['what stands between a letter and its mark', 'か\u200b\u3099 \u1100\u00ad\u1161', 'が 가'],
  ])('does not see %s', (_, text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it.each([
    ['sharp s, whose case pair is ẞ', 'Straße STRAẞE', 'straße straße'],
    ['dotless ı, which has no dot to lose', 'ılık', 'ılık'],
    ['letters with a stroke', 'ø đ ł', 'ø đ ł'],
    ['letters that are two in one', 'Æ œ', 'æ œ'],
    ['the voicing of kana', 'がぱゔ ガパヴ', 'がぱゔ ガパヴ'],
    ['hiragana and katakana', 'か カ', 'か カ'],
    ['small kana', 'っ つ', 'っ つ'],
    ['simplified and traditional forms', '汉 漢', '汉 漢'],
    ['vowel signs', 'किताब', 'किताब'],
    ['letters with a hamza', 'أ', 'أ'],
    ['skin tones', '👍🏽', '👍🏽'],
    ['punctuation', '"C++", (a-b)!', '"c++", (a-b)!'],
    ['viramas, without which it is another word', 'हिन्दी বিজ্ঞান தமிழ்', 'हिन्दी বিজ্ঞান தமிழ்'],
    ['nuktas, which make another letter', 'ज़मीन', 'ज\u093cमीन'],
    [
      'tones and vowels of Thai and Lao',
      'เสื้อ เสือ น้ำ ก็ ນ້ຳ',
      'เสื้อ เสือ น้\u0e4d\u0e32 ก็ ນ້\u0ecd\u0eb2',
    ],
    ['Burmese and Khmer', 'မြန်မာ ភាសាខ្មែរ', 'မြန်မာ ភាសាខ្មែរ'],
    ['digits of other scripts', '٣ ३', '٣ ३'],
  ])('leaves %s', (_, text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it.each([
    ['', ''],
    [' ', ''],
    ['  a  b  ', 'a b'],
    ['a\t\n\r\n b', 'a b'],
    ['a\u00a0\u2003\u3000b', 'a b'],
    ['\u3000a\u2028b\u2029', 'a b'],
    ['a\u0085b\u000bc\u000cd', 'a b c d'],
    ['a¨b', 'a b'],
    ['\u0301', ''],
    [' \u0301 ', ''],
    ['a \u0301 b', 'a b'],
  ])('makes %j, with its white space, %j', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it('makes every white space of Unicode one blank', () => {
    const blanks = everyCodePoint().filter((one) => /\p{White_Space}/u.test(one))
    expect(blanks.length).toBeGreaterThan(20)
    for (const blank of blanks) expect(fold(`${blank}a${blank}${blank}b${blank}`)).toBe('a b')
  })

  it.each([
    ['NUL', 'a\0b \0', 'a\ufffdb \ufffd'],
    ['half of a surrogate pair', '\ud800a\udc00', '\ufffda\ufffd'],
    ['two halves in the wrong order', '\udc00\ud800', '\ufffd\ufffd'],
  ])('makes %s a sign for what cannot be read', (_, text, folded) => {
    expect(fold(text)).toBe(folded)
    expect(fold('\u{1f600}\u{10ffff}')).toBe('\u{1f600}\u{10ffff}')
  })

  it('keeps as many marks on end as any script has, and no more', () => {
    const vowel = '\u0e34'
    expect(fold(`ก${vowel.repeat(30)}ข`)).toBe(`ก${vowel.repeat(30)}ข`)
    expect(fold(`ก${vowel.repeat(31)}ข`)).toBe(`ก${vowel.repeat(30)}ข`)
    expect(fold(`a${'\u0301'.repeat(256)}b`)).toBe('ab')
  })

  // Putting marks into their order takes the square of their number: half a minute each, were they not cut.
  it.each([
    ['accents', '\u0301\u0323'],
    ['marks that stay', '\u3099\u0653'],
    ['half-width marks, which are letters before they are marks', '\uff9e\u0653'],
    ['marks of two parts', '\u0344\u0323'],
  ])('is done at once with a quarter of a million %s', (_, marks) => {
    expect(fold(`a${marks.repeat(131_072)}`).length).toBeLessThan(100)
  })

  it('is one for a syllable of Hangul in one piece and in parts', () => {
    expect(fold('\u1112\u1161\u11ab\u1100\u1173\u11af')).toBe('한글')
  })

  // NFKC makes ㅋ and ㅠ the syllable 큐, and 네 and ㄳ the syllable 넧: neither could be found by its parts.
  it.each([
    ['ㅋㅋㅋㅠㅠ', 'ㅠㅠ'],
    ['ㅋㅋㅋㅠㅠ', 'ㅋㅋㅋ'],
    ['ㅇㅏ', 'ㅏ'],
    ['네ㄳ', '네'],
    ['네ㄳ', 'ㄳ'],
    ['ﾡￂ', 'ㅏ'],
    ['㉠', 'ㄱ'],
  ])('keeps Korean letters apart that are no syllable: %s has %s', (text, part) => {
    expect(fold(text)).toContain(fold(part))
  })

  it('takes no letter for a syllable, nor a part of one for the whole', () => {
    expect(fold('가')).not.toContain(fold('ㄱ'))
    expect(fold('각')).not.toContain(fold('가'))
    expect(fold('ㄱㅏ')).not.toContain(fold('가'))
    expect(fold('が')).not.toContain(fold('か'))
  })
})

/** User-perceived characters. */
function charactersOf(text: string): readonly string[] {
  return Array.from(new Intl.Segmenter('und').segment(text), ({ segment }) => segment)
}

/** All that are assigned, and unassigned ones beside them; the planes between are empty. */
function groupsOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, group) =>
    items.slice(group * size, (group + 1) * size),
  )
}

function everyCodePoint(): readonly string[] {
  return Array.from({ length: 0x34000 + 0x200 }, (_, at) => (at < 0x34000 ? at : at + 0xac000))
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
}
