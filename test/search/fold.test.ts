import { describe, expect, it } from 'vitest'
import { fold } from '../../src/search/fold.ts'
import fc from '../support/fast-check.ts'

/** Characters as a reader counts them, by script. */
const alphabets: readonly (readonly string[])[] = [
  [...'aAzZ09.,-éÉñøØßẞœÆıİiIſĳŉçđ', 'e\u0301', 'A\u030a\u0301', 'ﬁ', 'ﬄ', 'ﬆ'],
  [...'αΑσΣςάΆώΐὁᾳᾼῷΏϐϑϲ', 'α\u0301\u0345'],
  [...'аАёЁйЙїЇѐ', 'и\u0306', 'а\u0301'],
  [...'אבשםמ־׳', 'שָׁ', 'לוֹ', '\ufb2a', '\ufb4f'],
  [...'ابمىي\u0640أإآؤئ', 'مُ', 'حَمَّ', '\ufefb', '\ufdfa', '\u200c', '٣', '۳'],
  [...'कखहऩ', 'हि', 'न्दी', 'क\u093c', 'কো', 'ক\u09c7\u09be', 'கொ', 'ක\u0dd9\u0dca'],
  ['ก', 'น้', 'น้ำ', 'ก็', 'ที่', 'เ', 'แ', 'າ', 'ນ້ຳ'],
  [...'가각한글넵네ㄱㅏㄳㅋㅠㅎㄴㅇ㉠㉮㈀㈎ﾡￂﾢ', '\u1100\u1161', '\u1112\u1161\u11ab'],
  [...'かがはばぱカガゔヷッーヿｶｯ㌔㍿ゟ゛', 'か\u3099', 'ハ\u309a', 'ｶﾞ', 'ﾊﾟ'],
  [...'日本語文字漢神\ufa47\ufa19\u{20000}㈱⼀', '葛\u{e0100}'],
  [...'①½㎏™…´¨ªº²Ⅷⅷ≠∉ＡｂＣ１！￥Å', '👩‍💻', '❤️', '1️⃣', '🇩🇪', '👍🏽', '́'],
  [..."'’‘“«–—‑½〜´\u200d\ufe0f\u2060"],
  [...' \t\n\u00a0\u2003\u3000\u2028\u0085\u200b\u00ad', '\r\n'],
]

/** Texts of one script with spaces between, or of all at once. */
const texts = fc
  .constantFrom(...alphabets, alphabets.flat())
  .chain((alphabet) =>
    fc.array(fc.constantFrom(...alphabet, ...alphabet, ' '), { maxLength: 12, size: 'max' }),
  )
  .map((characters) => characters.join(''))

const special = [0, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0x301, 0x3099, 0x94d, 0xfeff, 0xfffe, 0xff9e]
const anything = fc
  .array(fc.oneof(fc.nat({ max: 0xffff }), fc.constantFrom(...special)), {
    maxLength: 300,
    size: 'max',
  })
  .map((codes) => String.fromCharCode(...codes))

describe('fold', () => {
  it('loses no match: a part cut out between any two characters is found in its text', () => {
    const cuts = fc.tuple(texts, fc.nat(), fc.nat())
    const segmenter = new Intl.Segmenter('und')
    fc.assert(
      fc.property(cuts, ([text, from, to]) => {
        const characters = Array.from(segmenter.segment(text), ({ segment }) => segment)
        const start = from % (characters.length + 1)
        const end = start + (to % (characters.length + 1 - start))
        const part = characters.slice(start, end).join('')
        fc.pre(!/^\p{M}/u.test(part))
        expect(fold(text)).toContain(fold(part))
      }),
      { numRuns: 5000 },
    )
  })

  it('gives well-formed text, on which it does nothing more, for any code units and normal form', () => {
    fc.assert(
      fc.property(texts, anything, (text, any) => {
        for (const form of ['NFC', 'NFD']) expect(fold(text.normalize(form))).toBe(fold(text))
        for (const folded of [fold(text), fold(any)]) {
          expect(fold(folded)).toBe(folded)
          expect(folded).not.toMatch(/\0|\p{Surrogate}|^ | $| {2}/u)
        }
      }),
      { numRuns: 2000 },
    )
    // All that are assigned: many at a time, apart from one another, as hundreds of thousands of calls take seconds.
    for (let code = 0; code < 0xe0200; code = code === 0x34000 ? 0xe0000 : code + 64) {
      const group = Array.from({ length: 64 }, (_, at) => String.fromCodePoint(code + at))
      const folded = fold(group.join(' . '))
      expect(fold(folded)).toBe(folded)
    }
  })

  it.each([
    ['case', 'QUARRY quarry', 'quarry quarry'],
    ['accents', 'Crème Cre\u0300me ệ ǭ Å ç Tiếng Việt', 'creme creme e o a c tieng viet'],
    ['accents and final sigma of Greek', 'ὁδός ΐ ᾷ ΟΔΟΣ ς', 'οδοσ ι α οδοσ σ'],
    ['accents of Cyrillic', 'Ёлка йод', 'елка иод'],
    ['points of Hebrew', 'שָׁלוֹם', 'שלום'],
    ['vowels, tatweel and presentation forms of Arabic', 'مُحَمَّد سـلام \ufefb', 'محمد سلام لا'],
    ['points of Syriac', '\u072b\u0720\u0733\u0721\u0710', '\u072b\u0720\u0721\u0710'],
    ['strokes of Coptic', '\u2c80\u2cef\u2c82', '\u2c81\u2c83'],
    ['İ, which is i, and long s', 'İstanbul Waſſer', 'istanbul wasser'],
    ['ligatures', 'ﬁﬂ ﬄ ﬆ ĳ', 'fifl ffl st ij'],
    ['full and half width', 'ＡＢＣ１２３！ ｶﾞｷﾞｸﾟ ﾊﾟﾝ', 'abc123! ガギク\u309a パン'],
    ['numbers and signs', '① Ⅷ ½ m² ™ ㎏ ㍿ …', '1 viii 1/2 m2 tm kg 株式会社 ...'],
    [
      'apostrophes',
      'it’s it‘s itʼs it′s ‹a› Hawaiʻi ג׳ ŉ',
      "it's it's it's it's 'a' hawai'i ג' 'n",
    ],
    ['quotation marks', '“a” „b“ «c» ″ 〝d〟 צה״ל', '"a" "b" "c" " "d" צה"ל'],
    ['hyphens, dashes and minus', 'a‐b a\u2011b a–b a—b −1 על־פי', 'a-b a-b a-b a-b -1 על-פי'],
    ['what has no width', 'co\u00adop a\u200bb\u2060c\ufeffd \u200fש\u200e', 'coop abcd ש'],
    ['joiners', 'می\u200cشود ශ්\u200dරී 👩‍💻 ❤️ 1️⃣', 'میشود ශ්රී 👩💻 ❤ 1\u20e3'],
    ['the parts of a syllable of Hangul', '\u1112\u1161\u11ab\u1100\u1173\u11af', '한글'],
    ['white space', '\u3000 a\t\n\r\n b\u00a0\u2003c\u2028\u0085d¨e \u0301 ', 'a b c d e'],
    [
      'what cannot be read',
      'a\0b \ud800a\udc00 \udc00\ud800',
      'a\ufffdb \ufffda\ufffd \ufffd\ufffd',
    ],
    ['marks without a letter', '\u0301', ''],
  ])('does not see %s', (_, text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it.each([
    ['sharp s, whose case pair is ẞ', 'Straße STRAẞE', 'straße straße'],
    ['letters of their own', 'ılık ø đ ł Æ œ أ', 'ılık ø đ ł æ œ أ'],
    ['voicing, size and kind of kana', 'がぱゔ ガパヴ か カ っ つ', 'がぱゔ ガパヴ か カ っ つ'],
    ['simplified and traditional forms', '汉 漢', '汉 漢'],
    ['vowel signs and viramas', 'किताब हिन्दी বিজ্ঞান தமிழ்', 'किताब हिन्दी বিজ্ঞান தமிழ்'],
    ['tones and vowels of Thai and Lao', 'เสื้อ น้ำ ก็ ນ້ຳ', 'เสื้อ น้\u0e4d\u0e32 ก็ ນ້\u0ecd\u0eb2'],
    [
      'skin tones, digits of other scripts and punctuation',
      '👍🏽 ٣ ३ "C++", (a-b)!',
      '👍🏽 ٣ ३ "c++", (a-b)!',
    ],
  ])('leaves %s', (_, text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it('keeps as many marks on end as any script has, and is done at once with more', () => {
    const vowel = '\u0e34'
    expect(fold(`ก${vowel.repeat(31)}ข`)).toBe(`ก${vowel.repeat(30)}ข`)
    // Putting marks into their order takes the square of their number: half a minute each, were they not cut.
    for (const marks of ['\u0301\u0323', '\u3099\u0653', '\uff9e\u0653', '\u0344\u0323'])
      expect(fold(`a${marks.repeat(131_072)}`).length).toBeLessThan(100)
  })
})
