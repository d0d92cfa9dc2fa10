import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import MiniSearch from 'minisearch';
import { find, indexOf } from '../../docs/search.js';
import { openApiDocument } from '../openapi/document.js';
import { bodiesOf } from '../openapi/documented-operation.js';
import { BASE_PATH, ROUTES } from '../routes.js';
import type { DocsContent } from './content.js';
import { unescaped } from './html.js';
import { markdownOf } from './markdown.js';
import type { SearchEntry } from './search-entries.js';
import { docsSite, markdownPathOf } from './site.js';

const asset = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url));
const document = openApiDocument();
const content = JSON.parse(asset('content.json').toString()) as DocsContent;
const { pages, index, llms } = docsSite(document, content, 'https://swim.example');
const markdown = new Map([...pages].map(([path, html]) => [markdownPathOf(path), markdownOf(html)]));
const all = [...pages.values()].join('');
const ASSETS = [
  '/dashboard',
  '/llms.txt',
  '/docs/docs.css',
  '/docs/docs.js',
  `${BASE_PATH}/openapi.json`,
  `${BASE_PATH}/openapi-3.0.json`,
];
const OPENAPI = `${BASE_PATH}/openapi.json`;

/** The page and the place in it to which a link of a page leads. */
function targetOf(page: string, href: string): [string, string | undefined] {
  const [path, anchor] = href.split('#');
  return [path === '' ? page : path!, anchor];
}

const isThere = ([path, anchor]: [string, string | undefined]): boolean =>
  ASSETS.includes(path) ||
  markdown.has(path) ||
  (pages.has(path) && (anchor === undefined || pages.get(path)!.includes(`id="${anchor}"`)));

describe('the docs', () => {
  it('describe every operation, with its path', () => {
    const paths = ROUTES.map(({ path }) => path);
    for (const path of new Set(paths)) expect(all).toContain(`<code>${path}</code>`);
    expect(pages.get('/docs')).toContain(OPENAPI);
  });

  it('explain every reason of an error at /docs/errors, under its name', () => {
    const errors = pages.get('/docs/errors')!;
    for (const reason of Object.keys(document['x-reasons'])) expect(errors).toContain(`<dt id="${reason}">`);
  });

  it('link only to what is there, and load nothing from elsewhere', () => {
    const dangling = [...pages].flatMap(([page, html]) =>
      [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
        .map(([, href]) => href!)
        .filter((href) => !/^https:\/\//.test(href) && !isThere(targetOf(page, href)))
        .map((href) => `${page}: ${href}`),
    );
    expect(dangling).toEqual([]);
    expect(all).not.toMatch(/(?:src|<link[^>]*href)="https?:|<style|style="|<script>|onclick=/);
  });

  it('have an example of each request for curl and Python, and for the client where it has a method', () => {
    expect(pages.get('/docs/reference/bookings')).toContain('client.bookings.create(');
    expect(pages.get('/docs/reference/accounts')).toMatch(/client[.]accounts[.]getStatement\(accountId, \{\s+month: /);
    const articles = all.split('<article ').filter((text) => text.includes('class="route"'));
    const lacking = (code: string) => articles.filter((text) => !text.includes(`<pre tabindex="0"><code>${code}`));
    expect([lacking('curl'), lacking('import os')]).toEqual([[], []]);
  });

  it('have a recorded body for each request that has one', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const lacking = operations.filter(
      (operation) => operation.requestBody && !operation.security && bodiesOf(operation).length === 0,
    );
    expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('have examples in Python that its parser accepts', () => {
    const figures = all.matchAll(/<figcaption>Python<\/figcaption><pre[^>]*><code>(.*?)<\/code>/gs);
    const samples = [...figures].map(([, code]) => unescaped(code!));
    expect(samples.length).toBeGreaterThan(ROUTES.length / 2);
    const program = 'import ast, json, sys\nfor code in json.load(sys.stdin): ast.parse(code)';
    const { error, status, stderr } = spawnSync('python3', ['-c', program], { input: JSON.stringify(samples) });
    // Python is not needed to work on the project.
    if (error) process.stderr.write(`The examples in Python are not checked: ${error.message}\n`);
    else expect([status, stderr.toString()]).toEqual([0, '']);
  });

  it('show each answer that was recorded, and each type of event with an example', () => {
    const bookings = pages.get('/docs/reference/bookings')!;
    expect(bookings).toContain('<summary>Answer 201</summary>');
    expect(bookings).toContain('Answers 201 with');
    expect(bookings).toContain('<summary><code>409</code> <code>conflicting_dates</code></summary>');
    const types = pages.get('/docs/reference/event-types')!;
    for (const type of Object.keys(document.webhooks)) expect(types).toContain(`<article id="${type}">`);
    expect(types.split('&quot;type&quot;: &quot;').length).toBeGreaterThan(Object.keys(document.webhooks).length);
  });

  it('begin long pages with an index of their headings', () => {
    const bookings = pages.get('/docs/reference/bookings')!;
    expect(bookings).toContain('aria-label="On this page"><ul><li><a href="#listBookings">List bookings</a></li>');
    expect(pages.get('/docs/errors')).toContain('<li><a href="#CONFLICT"><code>CONFLICT</code></a></li>');
  });

  it('are Markdown too, which each page and llms.txt link, with the same code and links that lead somewhere', () => {
    for (const [path, html] of pages) {
      const text = markdown.get(markdownPathOf(path))!;
      expect(html).toContain(`<link rel="alternate" type="text/markdown" href="${markdownPathOf(path)}">`);
      expect(text.replace(/```.*?```|`[^`\n]+`/gs, '')).not.toMatch(/<\/?[a-z]|&[a-z]+;/);
      expect(text.split('\n```\n').length).toBeGreaterThanOrEqual(html.split('<figure>').length);
      if (path !== '/docs') expect(llms).toContain(`](https://swim.example${markdownPathOf(path)}): `);
      const targets = [...text.matchAll(/\]\((\/[^)#]*)/g)].map(([, target]) => target!);
      expect(targets.filter((target) => !isThere([target, undefined]))).toEqual([]);
    }
    const bookings = markdown.get('/docs/reference/bookings.md')!;
    expect(bookings).toContain('\n- `sessions` optional: list of objects. The sessions\n  - `date`: ');
    expect(bookings).toContain('\n```sh\ncurl -X POST "$API/bookings" \\\n');
    expect(markdown.get('/docs/limits.md')).toContain('| what | most |\n| --- | --- |\n| body of a request |');
    expect(llms).toMatch(/^# .+\n\n> .+\n.*\n## Guides\n\n- \[Your first booking\]/s);
  });

  it('need at most 60 KB for the first page, compressed and with what it loads', () => {
    const parts = [Buffer.from(pages.get('/docs')!), asset('docs.css'), asset('docs.js'), asset('search.js')];
    expect(parts.reduce((sum, part) => sum + gzipSync(part).length, 0)).toBeLessThan(60_000);
  });
});

describe('the search', () => {
  const entries = JSON.parse(index) as SearchEntry[];
  const searched = indexOf(MiniSearch, entries);

  it('leads only to what is there', () => {
    expect(entries.filter(({ url }) => !isThere(targetOf('', url)))).toEqual([]);
  });

  it.each([
    ['webhook signature', 'webhooks'],
    ['dry_run', 'idempotency'],
    ['Retry-After', 'errors'],
    ['sdk', 'first-booking'],
    ['recurring', 'recurrence'],
    ['3-D Secure', 'payments'],
    ['makeup credit', 'reference/credits'],
    ['time zone', 'time-zones'],
    ['idempotency key', 'idempotency'],
    ['rate limit', 'limits'],
    ['cursor', 'pagination'],
    ['sandbox clock', 'sandbox'],
    ['group lesson', 'group-lessons'],
    ['waitlist', 'reference/waitlist'],
    ['closure', 'reference/closures'],
    ['roster', 'reference/instructors'],
    ['attendance', 'reference/sessions'],
    ['refund', 'reference/payments'],
    ['dispute', 'payments'],
    ['cash', 'payments'],
    ['connection', 'reference/connections'],
    ['import', 'reference/imports'],
    ['class', 'reference/classes'],
    ['enrollment', 'reference/enrollments'],
    ['webhok sgnature', 'webhooks'],
    ['member_busy', 'errors'],
    ['radius_km', 'reference/instructors'],
    ['mcp', 'assistants'],
    ['llms.txt', 'assistants'],
    ['who sees what', 'concepts'],
    ['changelog', 'changelog'],
  ])('finds for %s the page %s, first or second', (query, page) => {
    const { found } = find(searched, query);
    expect(found.slice(0, 2).map(({ id }) => id.replace('/docs/', '').replace(/#.*/, ''))).toContain(page);
  });

  it('says which entries have only some of the words, and suggests a word where nothing is found', () => {
    expect(find(searched, 'zebra webhooks')).toMatchObject({ isPartial: true });
    expect(find(searched, 'zzzzqx')).toEqual({ found: [], isPartial: false, suggestion: undefined });
    expect(find(searched, 'wbhok')).toMatchObject({ found: [], suggestion: 'webhook' });
  });

  it('needs at most 100 KB, compressed', () => {
    const library = readFileSync(createRequire(import.meta.url).resolve('minisearch'));
    expect(gzipSync(library).length + gzipSync(index).length).toBeLessThan(100_000);
  });
});
