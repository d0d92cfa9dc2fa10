import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';
import { type Document, methodsOf } from '../../libs/sdk/generator/operations.ts';
import { readJson } from '../system/files/json-file.ts';
import { ROOT } from '../system/paths.mjs';

const FILE = path.join(ROOT, 'gateway/docs/content.json');
const OPENAPI = path.join(ROOT, 'gateway/openapi.json');
const EVENTS = path.join(ROOT, 'docs/event-examples.json');

/** The order of the guides in the docs, by the names of their files. */
const GUIDE_ORDER = [
  'first-booking',
  'concepts',
  'authentication',
  'errors',
  'pagination',
  'idempotency',
  'webhooks',
  'python',
  'languages',
  'time-zones',
  'recurrence',
  'group-lessons',
  'payments',
  'policies',
  'sandbox',
  'limits',
  'assistants',
  'versioning',
  'changelog',
];

/** The files that are no guides. */
const ELSEWHERE: Readonly<Record<string, string>> = { changelog: 'CHANGELOG.md' };

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  bash: 'Shell',
  ts: 'TypeScript',
  py: 'Python',
  go: 'Go',
  json: 'JSON',
};
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const markdown = new Marked({
  renderer: {
    heading({ depth, tokens, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      // A link to a file of the repository leads to its page; where there is none, readers of the docs have no file either.
      const [, slug] = /^(?:docs\/guides\/)?([\w-]+)\.md$/.exec(href) ?? [];
      if (slug && GUIDE_ORDER.includes(slug)) return `<a href="/docs/${slug}">${text}</a>`;
      return /^(?:https?:|[/#])/.test(href) ? `<a href="${escaped(href)}">${text}</a>` : text;
    },
    code({ text, lang = '' }) {
      const name = LANGUAGES[lang] ?? 'Output';
      return `<figure><figcaption>${name}</figcaption><pre tabindex="0"><code>${escaped(text)}</code></pre></figure>\n`;
    },
  },
});

const readGuide = (slug: string): string =>
  fs.readFileSync(path.join(ROOT, ELSEWHERE[slug] ?? `docs/guides/${slug}.md`), 'utf8');

function guideOf(slug: string) {
  const text = readGuide(slug);
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (!title) throw new Error(`docs/guides/${slug}.md has no title.`);
  const html = markdown.parse(text, { async: false }).replace(/<table>.*?<\/table>/gs, '<div class="wide">$&</div>');
  return { slug, title, html };
}

/** The client's method of each operation, by the operation's name. */
export const callsOf = (document: Document) =>
  Object.fromEntries(
    methodsOf(document).map(({ operationId, resource, name, isList }) => [
      operationId,
      { method: `${resource}.${name}`, isList },
    ]),
  );

/**
 * Returns what the gateway's docs need beside the OpenAPI document: guides as HTML, the client's method of each
 * operation, an example of each event.
 */
function docsContent(): string {
  const calls = callsOf(readJson(OPENAPI) as Document);
  return `${JSON.stringify({ guides: GUIDE_ORDER.map(guideOf), calls, events: readJson(EVENTS) }, null, 1)}\n`;
}

function main(mode: string | undefined): void {
  const due = docsContent();
  if (mode === '--write') fs.writeFileSync(FILE, due);
  else if (!fs.existsSync(FILE) || fs.readFileSync(FILE, 'utf8') !== due) {
    console.error(
      'gateway/docs/content.json differs from docs/guides and the OpenAPI document: run `npm run generate`.',
    );
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv[2]);
