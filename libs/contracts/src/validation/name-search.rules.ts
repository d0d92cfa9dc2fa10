// Letters that Unicode does not decompose, with their common transcription.
const PLAIN: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ħ: 'h',
  ς: 'σ',
};
// Unicode would decompose the acute accent into a blank and a mark.
const APOSTROPHES = /[\u2018\u2019\u02bb\u02bc\u00b4`]/gu;
/** Letters whose second common transcription people search by: Mueller is Müller too. */
const TRANSCRIBED: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const TRANSCRIBABLE = new RegExp(`[${Object.keys(TRANSCRIBED).join('')}]`, 'gu');
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');
const PART_START = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu;

/** Text without case and accents, with one kind of apostrophe: two spellings of one name fold to the same. */
export const foldText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(APOSTROPHES, "'")
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(APOSTROPHES, "'")
    .replace(/\p{Mn}+/gu, '')
    .replace(SPECIAL, (letter) => PLAIN[letter]!);

const wordsOf = (text: string): string[] => foldText(text).split(/\s+/u).filter(Boolean);

const transcribed = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(TRANSCRIBABLE, (letter) => TRANSCRIBED[letter]!);

/**
 * The stored search words: each word, in both transcriptions, and its parts after a hyphen, dot or the like ("Jean-Luc",
 * "ana.ruiz@…").
 */
export function searchWordsOf(...texts: string[]): string[] {
  const words = texts.flatMap((text) => [...wordsOf(text), ...wordsOf(transcribed(text))]);
  const parts = words.flatMap((word) => [...word.matchAll(PART_START)].map((match) => word.slice(match.index)));
  return [...new Set([...words, ...parts])];
}

/**
 * A search as its words: each must begin some stored word, character for character. Of one that begins with an `@`, as the domain
 * of an address does, the rest must: no stored part of an address begins with it.
 */
export const searchTermsOf = (search: string): string[] => [
  ...new Set(wordsOf(search).map((word) => word.replace(/^@+(?=[\p{L}\p{N}])/u, ''))),
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII, but for the apostrophe that folding changes.
const PLAIN_TEXT = /^[\x00-_a-\x7f]*$/;
const BLANK = /\s/;
const PART_BEGINNING = /[^a-z0-9][a-z0-9]/;

/**
 * Returns whether a word of a search begins a word of these texts, as `searchWordsOf` has them. Those of a text in ASCII are its parts, so that
 * it is not taken apart: many thousands of texts are searched in one request.
 */
export function beginsWordOf(...texts: string[]): (term: string) => boolean {
  const text = texts.join(' ').toLowerCase();
  if (!PLAIN_TEXT.test(text)) {
    const words = searchWordsOf(...texts);
    return (term) => words.some((word) => word.startsWith(term));
  }
  return (term) => {
    for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1))
      if (at === 0 || BLANK.test(text[at - 1]!) || PART_BEGINNING.test(text.slice(at - 1, at + 1))) return true;
    return false;
  };
}

/** Bounds of all strings that begin with a term, in the order of code points: free text is never interpreted as a pattern. */
export const beginningWith = (term: string): { from: string; below: string } => ({
  from: term,
  below: `${term}\u{10FFFF}`,
});
