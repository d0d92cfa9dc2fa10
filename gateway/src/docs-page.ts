import type { DocumentedOperation, OpenApiDocument } from './openapi/document.js';
import type { JsonSchema } from './openapi/schemas.js';

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--key:#0a6ebd}
*{box-sizing:border-box}
body{margin:0;font:16px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.2rem;border-right:1px solid var(--line);font-size:.87rem}
nav ul{list-style:none;margin:.2rem 0 1rem;padding:0}nav a{text-decoration:none;color:inherit}nav a:hover{text-decoration:underline}
main{padding:1.5rem 2.5rem 6rem;max-width:62rem}
h2{margin-top:3rem;border-bottom:1px solid var(--line);text-transform:capitalize}
article{margin:1.8rem 0;padding:1rem 1.2rem;border:1px solid var(--line);border-radius:.5rem}
h3{margin:0 0 .3rem;font-size:1.05rem}code{font:.87em ui-monospace,monospace;background:var(--soft);padding:.1em .3em;border-radius:.25em}
.method{display:inline-block;min-width:4.2em;font:700 .8em ui-monospace,monospace;color:var(--key)}
table{border-collapse:collapse;width:100%;font-size:.9rem;margin:.4rem 0 1rem}
td,th{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600}details summary{cursor:pointer;margin:.3rem 0}.soft{opacity:.75}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}`;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: unknown): string => String(text).replace(/[&<>"]/g, (character) => ESCAPES[character]!);
/** Text in which `backticks` mark code. */
const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
const table = (heads: string[], rows: string[][]): string =>
  rows.length === 0
    ? ''
    : `<table><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;

/** Writes an OpenAPI document as HTML. The page is complete: it has no script and loads nothing. */
class DocsWriter {
  constructor(private readonly document: OpenApiDocument) {}

  page(): string {
    const { info, tags } = this.document;
    const intro = info.description
      .split('\n\n')
      .map((paragraph) => `<p>${prose(paragraph)}</p>`)
      .join('');
    return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(info.title)}</title><style>${STYLE}</style>
<nav><strong>${escaped(info.title)}</strong>${tags.map(({ name }) => this.contentsOf(name)).join('')}<ul><li><a href="#schemas">Schemas</a></li><li><a href="#reasons">Reasons of errors</a></li></ul></nav>
<main><h1>${escaped(info.title)}</h1>${intro}<p>For machines: <a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${tags.map(({ name }) => this.section(name)).join('')}${this.schemas()}${this.reasons()}</main></html>`;
  }

  private operations(tag: string): [string, string, DocumentedOperation][] {
    return Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]): [string, string, DocumentedOperation][] =>
        operation.tags.includes(tag) ? [[method.toUpperCase(), `/v1${path}`, operation]] : [],
      ),
    );
  }

  private contentsOf(tag: string): string {
    const items = this.operations(tag).map(
      ([, , { operationId, summary }]) => `<li><a href="#${operationId}">${escaped(summary)}</a></li>`,
    );
    return `<ul><li><b>${escaped(tag)}</b></li>${items.join('')}</ul>`;
  }

  private section(tag: string): string {
    return `<section><h2>${escaped(tag)}</h2>${this.operations(tag)
      .map((each) => this.article(...each))
      .join('')}</section>`;
  }

  private article(method: string, path: string, operation: DocumentedOperation): string {
    const sent = operation.requestBody?.content['application/json']?.schema;
    const body = sent && this.followed<JsonSchema>(String(sent.$ref));
    return `<article id="${operation.operationId}"><h3><span class="method">${method}</span> <code>${escaped(path)}</code></h3>
<p>${escaped(operation.summary)}. ${prose(operation.description ?? '')}${this.answer(operation)}</p>${this.parameters(operation)}
${body ? `<b>Body</b>${this.members(body)}` : ''}<details><summary>Answers</summary>${this.responses(operation)}</details></article>`;
  }

  /** The type of `data` in the success answer. */
  private answer({ responses }: DocumentedOperation): string {
    const good = responses['201'] ?? responses['200'];
    const ref = good && 'content' in good ? String(good.content?.['application/json']?.schema.$ref ?? '') : '';
    const name = /(\w+?)(List)?Envelope$/.exec(ref);
    return name ? ` Answers ${name[2] ? 'a list of ' : ''}${this.linkTo(name[1]!)}.` : '';
  }

  private parameters({ parameters = [] }: DocumentedOperation): string {
    const shared = Object.values(this.document.components.parameters);
    const rows = parameters.map((given) => {
      const parameter =
        '$ref' in given ? this.followed<(typeof shared)[number] & { required?: boolean }>(given.$ref) : given;
      const { name, schema, description = '' } = parameter;
      return [
        `<code>${escaped(name)}</code>`,
        `${escaped(parameter.in)}${parameter.required ? ', required' : ''}`,
        this.typeOf(schema),
        prose(description),
      ];
    });
    return table(['Parameter', 'In', 'Type', ''], rows);
  }

  private responses({ responses }: DocumentedOperation): string {
    const rows = Object.entries(responses).map(([status, given]) => {
      const response = '$ref' in given ? this.followed<{ description: string }>(given.$ref) : given;
      return [`<code>${status}</code>`, prose(response.description)];
    });
    return table(['Status', ''], rows);
  }

  private members(schema: JsonSchema): string {
    const required = new Set(schema.required ?? []);
    const rows = Object.entries(schema.properties ?? {}).map(([name, member]) => [
      `<code>${escaped(name)}</code>${required.has(name) ? '' : ' <span class="soft">optional</span>'}`,
      this.typeOf(member),
      prose(String(member.description ?? '')),
    ]);
    return table(['Field', 'Type', ''], rows);
  }

  private typeOf(schema: JsonSchema): string {
    if (typeof schema.$ref === 'string') return this.linkTo(schema.$ref);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(alternatives))
      return (alternatives as JsonSchema[]).map((each) => this.typeOf(each)).join(' or ');
    if (schema.const !== undefined) return `<code>${escaped(JSON.stringify(schema.const))}</code>`;
    if (Array.isArray(schema.enum)) return schema.enum.map((value) => `<code>${escaped(value)}</code>`).join(' ');
    if (schema.type === 'array') return `list of ${this.typeOf((schema.items ?? {}) as JsonSchema)}`;
    if (schema.type === 'object' && schema.properties) return this.members(schema);
    const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'anything');
    return escaped(type) + boundsOf(schema);
  }

  private linkTo(ref: string): string {
    const name = ref.split('/').at(-1)!;
    return `<a href="#schema-${name}">${escaped(name)}</a>`;
  }

  private followed<T>(ref: string): T {
    return ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], this.document) as T;
  }

  private schemas(): string {
    const all = Object.entries(this.document.components.schemas).filter(
      ([name]) => !/(?:Envelope|Body)$/.test(name) || name === 'ErrorEnvelope',
    );
    const articles = all.map(
      ([name, schema]) =>
        `<article id="schema-${name}"><h3>${escaped(name)}</h3>${schema.properties ? this.members(schema) : `<p>${this.typeOf(schema)} ${prose(String(schema.description ?? ''))}</p>`}</article>`,
    );
    return `<section id="schemas"><h2>Schemas</h2>${articles.join('')}</section>`;
  }

  private reasons(): string {
    const rows = Object.entries(this.document['x-reasons']).map(([reason, { code, status, message }]) => [
      `<code id="${escaped(reason)}">${escaped(reason)}</code>`,
      String(status),
      `<code>${escaped(code)}</code>`,
      escaped(message),
    ]);
    return `<section id="reasons"><h2>Reasons of errors</h2>${table(['<code>details.reason</code>', 'Status', '<code>code</code>', ''], rows)}</section>`;
  }
}

function boundsOf(schema: JsonSchema): string {
  const shown: [string, unknown][] = [
    ['', schema.format],
    ['at least ', schema.minimum],
    ['more than ', schema.exclusiveMinimum],
    ['at most ', schema.maximum],
    ['at most this long: ', schema.maxLength],
    ['default ', schema.default],
  ];
  const parts = shown
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => label + escaped(typeof value === 'object' ? JSON.stringify(value) : value));
  return parts.length === 0 ? '' : ` <span class="soft">(${parts.join(', ')})</span>`;
}

/** The documentation page of an OpenAPI document. */
export const docsPage = (document: OpenApiDocument): string => new DocsWriter(document).page();
