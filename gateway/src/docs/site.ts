import type { OpenApiDocument } from '../openapi/document.js';
import type { DocsContent, Guide } from './content.js';
import { EVENTS_PATH, eventTypesPage } from './events-view.js';
import { escaped, prose, table, unescaped } from './html.js';
import { methodBadge, OperationView, operationsOf, type PlacedOperation, titleOf } from './operation-view.js';
import { REFERENCE_PATH, SchemaView } from './schema-view.js';
import { type SearchEntry, searchEntries } from './search-entries.js';

interface PageText {
  path: string;
  title: string;
  html: string;
}

/** Where a page is as Markdown. */
export const markdownPathOf = (path: string): string => `${path === '/docs' ? '/docs/index' : path}.md`;

const ERRORS = 'errors';
/** The guide that is followed by the table of all reasons. */
const isErrors = ({ slug }: Guide): boolean => slug === ERRORS;

/** Writes the documentation as pages that are readable without a script: guides, and one page for each group of operations. */
class SiteWriter {
  private readonly schemas: SchemaView;
  private readonly operations: OperationView;
  private readonly groups: readonly string[];

  constructor(
    private readonly document: OpenApiDocument,
    private readonly content: DocsContent,
  ) {
    this.schemas = new SchemaView(document);
    this.operations = new OperationView(this.schemas, content.calls);
    this.groups = document.tags.map(({ name }) => name).filter((name) => operationsOf(document, name).length > 0);
  }

  /** The pages by their paths. */
  pages(): Map<string, string> {
    const pages: PageText[] = [
      this.start(),
      ...this.content.guides.map((guide) => this.guide(guide)),
      ...this.groups.map((group) => this.group(group)),
      {
        path: EVENTS_PATH,
        title: 'Event types',
        html: eventTypesPage(this.document, this.schemas, this.content.events),
      },
      this.objects(),
    ];
    return new Map(pages.map((page) => [page.path, this.layout(page)]));
  }

  /** Everything that the search finds. */
  index(): SearchEntry[] {
    const { guides } = this.content;
    return searchEntries(this.document, this.schemas, { guides, groups: this.groups, objects: this.objectNames() });
  }

  private start(): PageText {
    const { info } = this.document;
    const intro = info.description.split('\n\n').map((paragraph) => `<p>${prose(paragraph)}</p>`);
    const rows = this.groups.flatMap((group) =>
      operationsOf(this.document, group).map((placed) => [
        `${methodBadge(placed.method)} <code>${escaped(placed.path)}</code>`,
        `<a href="${urlOf(group, placed)}">${escaped(placed.operation.summary)}</a>`,
      ]),
    );
    const html = `<h1>${escaped(info.title)}</h1>${intro.join('')}
<p>Start with <a href="/docs/first-booking">your first booking</a>. For machines: <a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1) or <a href="/v1/openapi-3.0.json">openapi-3.0.json</a>; for assistants that write code: <a href="/llms.txt">llms.txt</a>.</p>
<p>The examples for curl and Python take <code>API</code>, an address that ends in <code>/v1</code>, and <code>KEY</code> from the environment. In TypeScript <code>client</code> is <code>new Swim({ apiKey, baseUrl })</code> of <code>@swim/sdk</code>. Ids such as <code>$BOOKING_ID</code>, <code>booking_id</code> and <code>bookingId</code> are yours.</p>
<h2>All operations</h2>${table(['Operation', 'What it does'], rows)}`;
    return { path: '/docs', title: info.title, html };
  }

  private guide(guide: Guide): PageText {
    const html = isErrors(guide) ? guide.html + this.reasons() : guide.html;
    return { path: `/docs/${guide.slug}`, title: guide.title, html };
  }

  private group(group: string): PageText {
    const articles = operationsOf(this.document, group).map((placed) => this.operations.article(placed));
    const description = this.descriptionOf(group);
    const html = `<h1>${escaped(titleOf(group))}</h1>${description ? `<p>${prose(description)}</p>` : ''}${articles.join('')}`;
    return { path: `${REFERENCE_PATH}/${group}`, title: titleOf(group), html };
  }

  private objectNames(): string[] {
    return Object.keys(this.document.components.schemas).filter(
      (name) => !/(?:Envelope|Body)$/.test(name) || name === 'ErrorEnvelope',
    );
  }

  private objects(): PageText {
    const articles = this.objectNames().map((name) => {
      const schema = this.document.components.schemas[name]!;
      const text = prose(String(schema.description ?? ''));
      const type = schema.properties
        ? this.schemas.members(schema)
        : `<p>${this.schemas.typeOf(schema)}</p>${this.schemas.nestedIn(schema)}`;
      return `<article id="${name}"><h2><a href="#${name}">${name}</a></h2>${text ? `<p>${text}</p>` : ''}${type}</article>`;
    });
    return { path: `${REFERENCE_PATH}/objects`, title: 'Objects', html: `<h1>Objects</h1>${articles.join('')}` };
  }

  /** Each reason under its own name: `details.doc_url` of an error leads there. */
  private reasons(): string {
    const byCode = Map.groupBy(Object.entries(this.document['x-reasons']), ([, { code }]) => code);
    const sections = [...byCode].map(([code, reasons]) => {
      const entries = reasons.map(
        ([reason, { status, message }]) =>
          `<dt id="${reason}"><a href="#${reason}"><code>${reason}</code></a> <small>${status}</small></dt><dd>${prose(message)}</dd>`,
      );
      return `<h2 id="${code}"><code>${code}</code></h2><dl>${entries.join('')}</dl>`;
    });
    return sections.join('');
  }

  /** The index of the pages as Markdown, for programs that read (llmstxt.org). */
  llms(origin: string): string {
    const { title, description } = this.document.info;
    const line = (path: string, name: string, text: string) => `- [${name}](${origin}${markdownPathOf(path)}): ${text}`;
    const guides = this.content.guides.map(({ slug, title: name, html }) =>
      line(`/docs/${slug}`, name, firstSentenceOf(html)),
    );
    const groups = this.groups.map((group) =>
      line(`${REFERENCE_PATH}/${group}`, titleOf(group), this.descriptionOf(group)),
    );
    const more = [
      line(EVENTS_PATH, 'Event types', 'Each type of event, with an example.'),
      line(`${REFERENCE_PATH}/objects`, 'Objects', 'Each object with its fields.'),
      `- [OpenAPI document](${origin}/v1/openapi.json): All of the reference as OpenAPI 3.1.`,
    ];
    const intro = `# ${title}\n\n> ${description.replaceAll('\n\n', '\n>\n> ')}`;
    return `${intro}\n\n## Guides\n\n${guides.join('\n')}\n\n## Reference\n\n${[...groups, ...more].join('\n')}\n`;
  }

  private descriptionOf(group: string): string {
    return this.document.tags.find(({ name }) => name === group)?.description ?? '';
  }

  /** The page of a path below `/docs` that has none. */
  notFound(): string {
    const html = `<h1>Page not found</h1><p>The docs have no page here. Search them, choose one of the contents, or begin at <a href="/docs">the first page</a>.</p>`;
    return this.layout({ path: '', title: 'Page not found', html });
  }

  private layout({ path, title, html }: PageText): string {
    const link = (href: string, text: string) =>
      `<li><a href="${href}"${href === path ? ' aria-current="page"' : ''}>${escaped(text)}</a></li>`;
    const guides = this.content.guides.map(({ slug, title: name }) => link(`/docs/${slug}`, name));
    const groups = this.groups.map((group) => link(`${REFERENCE_PATH}/${group}`, titleOf(group)));
    const name = this.document.info.title;
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title === name ? name : `${title} – ${name}`)}</title>${path ? `<link rel="alternate" type="text/markdown" href="${markdownPathOf(path)}">` : ''}<link rel="stylesheet" href="/docs/docs.css"><script src="/docs/docs.js" type="module"></script></head>
<body><a class="skip" href="#main">Skip to the text</a>
<header><a href="/docs"><strong>${escaped(name)}</strong></a><a class="menu" href="#contents">Contents</a><a href="/dashboard">Dashboard</a><search hidden><input type="search" placeholder="Search" aria-label="Search the docs" autocomplete="off"><div><p role="status"></p><ol></ol></div></search></header>
<main id="main">${withIndex(html)}</main>
<nav id="contents" aria-label="Contents"><b>Guides</b><ul>${guides.join('')}</ul><b>Reference</b><ul>${groups.join('')}${link(EVENTS_PATH, 'Event types')}${link(`${REFERENCE_PATH}/objects`, 'Objects')}</ul></nav></body></html>`;
  }
}

const HEADING = /<h2(?: id="([^"]+)")?>(?:<a href="#([^"]+)">)?(.*?)(?:<\/a>)?<\/h2>/g;
/** A page with fewer headings needs no index. */
const FEWEST_HEADINGS = 4;

/** A page with an index of its headings below its title. */
function withIndex(html: string): string {
  const links = [...html.matchAll(HEADING)].map(
    ([, id, target, text]) => `<li><a href="#${id ?? target}">${text}</a></li>`,
  );
  if (links.length < FEWEST_HEADINGS) return html;
  return html.replace('</h1>', `</h1><nav class="index" aria-label="On this page"><ul>${links.join('')}</ul></nav>`);
}

const urlOf = (group: string, { operation }: PlacedOperation): string =>
  `${REFERENCE_PATH}/${group}#${operation.operationId}`;

const FIRST_SENTENCE = /<p>(.*?[.:])(?:\s|<\/p>)/s;
const firstSentenceOf = (html: string): string =>
  unescaped(
    (FIRST_SENTENCE.exec(html)?.[1] ?? '')
      .replace(/<[^>]+>/g, '')
      .replace(/\s+/g, ' ')
      .replace(/:$/, '.'),
  );

/** The documentation of an API. */
interface Site {
  /** HTML by the paths. */
  pages: Map<string, string>;
  /** The page of any other path. */
  notFound: string;
  /** What the search finds, as JSON. */
  index: string;
  /** The text of `/llms.txt`. */
  llms: string;
}

/**
 * Writes the documentation of an API.
 * @param origin - of the links of `llms.txt`; where it is empty they are paths.
 */
export function docsSite(document: OpenApiDocument, content: DocsContent, origin: string): Site {
  const writer = new SiteWriter(document, content);
  return {
    pages: writer.pages(),
    notFound: writer.notFound(),
    index: JSON.stringify(writer.index()),
    llms: writer.llms(origin),
  };
}
