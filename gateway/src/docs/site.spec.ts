import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../openapi/document.js';
import { BASE_PATH, ROUTES } from '../routes.js';
import { type DocsContent, docsSite } from './site.js';

const asset = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url));
const document = openApiDocument();
const { pages, index } = docsSite(document, JSON.parse(asset('content.json').toString()) as DocsContent);
const all = [...pages.values()].join('');
const ASSETS = ['/docs/docs.css', '/docs/docs.js', `${BASE_PATH}/openapi.json`, `${BASE_PATH}/openapi-3.0.json`];
const OPENAPI = `${BASE_PATH}/openapi.json`;

/** The page and the place in it to which a link of a page leads. */
function targetOf(page: string, href: string): [string, string | undefined] {
  const [path, anchor] = href.split('#');
  return [path === '' ? page : path!, anchor];
}

const isThere = ([path, anchor]: [string, string | undefined]): boolean =>
  ASSETS.includes(path) || (pages.has(path) && (anchor === undefined || pages.get(path)!.includes(`id="${anchor}"`)));

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

  it('have an example of each request for curl, and for the client where it has a method', () => {
    expect(pages.get('/docs/reference/bookings')).toContain('client.bookings.create(');
    const articles = all.split('<article ').filter((text) => text.includes('class="route"'));
    expect(articles.every((text) => text.includes('<pre tabindex="0"><code>curl'))).toBe(true);
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

  it('search what exists', () => {
    const entries = JSON.parse(index) as { url: string; title: string }[];
    expect(entries.filter(({ url }) => !isThere(targetOf('', url)))).toEqual([]);
    expect(entries.map(({ title }) => title)).toEqual(expect.arrayContaining(['Webhooks', 'instructor_busy']));
  });

  it('need at most 60 KB for the first page, compressed and with what it loads', () => {
    const parts = [Buffer.from(pages.get('/docs')!), asset('docs.css'), asset('docs.js'), Buffer.from(index)];
    expect(parts.reduce((sum, part) => sum + gzipSync(part).length, 0)).toBeLessThan(60_000);
  });
});
