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
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');
const PART_START = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu;

/** Text without case and accents: two spellings of one name fold to the same. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .replace(SPECIAL, (letter) => PLAIN[letter]!);

const wordsOf = (text: string): string[] => foldText(text).split(/\s+/u).filter(Boolean);

/** The stored search words: each word, and its parts after a hyphen, dot or the like ("Jean-Luc", "ana.ruiz@…"). */
export function searchWordsOf(...texts: string[]): string[] {
  const words = texts.flatMap(wordsOf);
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

/** Bounds of all strings that begin with a term, in the order of code points: free text is never interpreted as a pattern. */
export const beginningWith = (term: string): { from: string; below: string } => ({
  from: term,
  below: `${term}\u{10FFFF}`,
});
