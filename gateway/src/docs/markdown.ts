import { unescaped } from './html.js';

/** A table within which there is none. */
const INNERMOST_TABLE = /<table>((?:(?!<table>).)*?)<\/table>/gs;
const ROW = /<tr>(.*?)<\/tr>/gs;
const CELL = /<t[dh][^>]*>(.*?)<\/t[dh]>/gs;
/** The tables of fields, whose cells may contain others. */
const OF_FIELDS = /^(?:Field|Parameter)$/;
const DOCS_LINK = /^(\/docs\/[^#]+)(#.*)?$/;
const LANGUAGES: Readonly<Record<string, string>> = { curl: 'sh', Shell: 'sh', Output: 'text' };

/** A field as an entry of a list; the fields of its own are a list within. */
function entryOf([name, type, meaning = '']: string[]): string {
  const [own = '', ...lines] = meaning.replace(/<\/?div[^>]*>/g, '').split('\n');
  const inner = lines.filter((line) => line !== '');
  return [`- ${name}: ${type}. ${own}`.trim(), ...inner.map((line) => `  ${line}`)].join('\n');
}

function tableOf(html: string): string {
  const [heads = [], ...rows] = [...html.matchAll(ROW)].map(([, row]) =>
    [...row!.matchAll(CELL)].map(([, cell]) => cell!),
  );
  if (OF_FIELDS.test(heads[0]!)) return `\n${rows.map(entryOf).join('\n')}\n`;
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `\n\n${lines.join('\n')}\n\n`;
}

/** Pages of the docs are linked as Markdown; places within the page, and reasons of errors, are only named. */
function linkOf(href: string, text: string): string {
  if (/^(?:\/docs\/errors)?#/.test(href)) return text;
  const target = href === '/docs' ? '/docs/index.md' : href.replace(DOCS_LINK, '$1.md$2');
  return `[${text}](${target})`;
}

const figureOf = (caption: string, code: string): string =>
  `\n\n\`\`\`${LANGUAGES[caption] ?? caption.toLowerCase()}\n${code.trimEnd()}\n\`\`\`\n\n`;

function withoutTables(html: string): string {
  const flat = html.replace(INNERMOST_TABLE, (_, rows: string) => tableOf(rows));
  return flat === html ? flat : withoutTables(flat);
}

/** The text of a page of the docs as Markdown, for programs that read. It knows the HTML that this folder and the guides consist of. */
export function markdownOf(page: string): string {
  const [, html = page] = /<main id="main">(.*)<\/main>/s.exec(page) ?? [];
  const text = withoutTables(html.replace(/<nav class="index".*?<\/nav>/s, ''))
    .replace(
      /<figure><figcaption>(.*?)<\/figcaption><pre[^>]*><code>(.*?)<\/code><\/pre><\/figure>/gs,
      (_, name, code) => figureOf(name, code),
    )
    .replace(/<label[^>]*>.*?<\/label>/g, '')
    .replace(/<a href="([^"]+)">(.*?)<\/a>/gs, (_, href, label) => linkOf(href, label))
    .replace(/<code>(.*?)<\/code>/gs, '`$1`')
    .replace(/<h(\d)[^>]*>(.*?)<\/h\1>/gs, (_, depth, title) => `\n\n${'#'.repeat(Number(depth))} ${title}\n\n`)
    .replace(/<summary>(.*?)<\/summary>/gs, '\n\n**$1**\n\n')
    .replace(/<(b|strong)\b[^>]*>(.*?)<\/\1>/gs, '**$2**')
    .replace(/<(?:li|dt)\b[^>]*>/g, '\n- ')
    .replace(/<\/dt><dd>/g, ': ')
    .replace(/<\/?(?:p|article|details|div|dl|ul)\b[^>]*>/g, '\n\n')
    .replace(/<[^>]+>/g, '');
  return `${unescaped(text)
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
