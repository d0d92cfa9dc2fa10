const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as HTML, also within attributes in double quotes. */
export const escaped = (text: unknown): string => String(text).replace(/[&<>"]/g, (character) => ESCAPES[character]!);

const CHARACTERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ESCAPES).map(([character, entity]) => [entity, character])),
  '&#39;': "'",
};

/** HTML without tags as text. */
export const unescaped = (html: string): string =>
  html.replace(/&[a-z0-9#]+;/g, (entity) => CHARACTERS[entity] ?? entity);

/** Text in which `backticks` mark code. */
export const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const cells = (tag: 'td' | 'th', row: readonly string[]): string =>
  `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;

/** A table of HTML cells, which scrolls by itself where it is wider than the screen; nothing without rows. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<div class="wide"><table><thead>${cells('th', heads)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table></div>`;

/** A block of code, with the name of its language. */
export const codeBlock = (language: string, code: string): string =>
  `<figure><figcaption>${escaped(language)}</figcaption><pre tabindex="0"><code>${escaped(code)}</code></pre></figure>`;
