// Private words, and the terms of the field to write in their place.

/** By a word of a name: of a file, a type, a function, a variable or a property. */
export const inNames = {
  answer: '"response"',
  answers: '"responses"',
  anew: '"again"',
  ask: '"request" or "prompt"',
  asked: '"requested"',
  beat: '"heartbeat"',
  beside: '"sibling"',
  crew: '"worker pool"',
  exchange: '"commit", "context" or "adapter"',
  joiner: '"inverter"',
  leisure: '"idle"',
  lexicon: '"term dictionary"',
  located: '"route match"',
  meanwhile: '"idle"',
  mend: '"fix"',
  mended: '"fixed"',
  needle: '"query" or "pattern"',
  nobody: 'the noun',
  piece: '"fragment" or "part"',
  pieces: '"fragments" or "parts"',
  questions: '"prompts"',
  recall: '"load"',
  remember: '"store"',
  remembered: '"stored"',
  rival: '"contender"',
  roomy: 'the heap class',
  seal: '"build stamp"',
  sealed: '"stamped"',
  stand: '"is"',
  stands: '"is"',
  suspect: '"quarantined"',
  tell: '"report" or "emit"',
  told: '"reported"',
  whoever: 'the noun',
}

/** By a word of the name of a type: types are nouns. */
export const inTypes = {
  finished: 'a noun',
  found: 'a noun',
  given: 'a noun',
  kept: 'a noun',
  known: 'a noun',
  made: 'a noun',
  question: '"request"',
}

/** In comments. */
export const inComments = [
  { pattern: /\b[Kk]nows nothing\b/g, use: 'nothing: the room test says what a file may import' },
  { pattern: /\bbeside\b/gi, use: '"next to"' },
  {
    pattern: /\bstands? (in|on|at|for|before|after|behind|there|under|between|first|last)\b/gi,
    use: '"is" or "represents"',
  },
  { pattern: /\b(an?|the|its|every|no|same|real) answers?\b/gi, use: '"response"' },
  { pattern: /\b(the|a) (piece|seal)s?\b/gi, use: '"fragment" or "build stamp"' },
  { pattern: /\banew\b/gi, use: '"again"' },
  { pattern: /\bmend(s|ed|ing)?\b/gi, use: '"fix"' },
  { pattern: /\bwhoever\b/gi, use: 'the noun' },
  { pattern: /\btold\b(?! apart)/gi, use: '"reported"' },
  {
    pattern: /(?<=(?:^[ \t]*(?:\/\/|\*)|\/\*\*|\.) )(?:What|Of) (?=\S)/gm,
    use: 'the subject first',
  },
]

/** In the pages of docs, outside code. */
export const inDocs = [
  { pattern: /\banew\b/gi, use: '"again"' },
  { pattern: /\bmend(s|ed|ing)?\b/gi, use: '"fix"' },
  { pattern: /\b(nobody|whoever|whom)\b/gi, use: 'the noun' },
  { pattern: /\bof (its|their|his) own\b/gi, use: '"its own" before the noun, or "separate"' },
  { pattern: /\bsomebody\b/gi, use: 'the noun' },
  { pattern: /\b(told|tells? of)\b/gi, use: '"reported"' },
  { pattern: /\bbeside\b/gi, use: '"next to"' },
  { pattern: /\bstands?\b/gi, use: '"is"' },
  { pattern: /\b(an?|the|its|every|no|same|real) answers?\b/gi, use: '"response"' },
  { pattern: /(?<=\.\s|\n\n|\*\* )What (?=[a-z])(?![^.?\n]*\?)/g, use: 'the subject first' },
  { pattern: /(?<=\.\s|\n\n)Of (?=[a-z])/g, use: 'the subject first' },
]
