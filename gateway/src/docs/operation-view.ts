import type { OpenApiDocument } from '../openapi/document.js';
import { bodiesOf, type DocumentedOperation } from '../openapi/documented-operation.js';
import type { JsonSchema } from '../openapi/schemas.js';
import { curlOf, pythonOf, typeScriptOf } from './code-samples.js';
import type { ClientCall } from './content.js';
import { codeBlock, escaped, prose, table } from './html.js';
import type { SchemaView } from './schema-view.js';

/** An operation with its place in the API. */
export interface PlacedOperation {
  readonly method: string;
  /** With the base path. */
  readonly path: string;
  readonly operation: DocumentedOperation;
}

const JSON_TYPE = 'application/json';

/** The name of a group, as a title. */
export const titleOf = (group: string): string => group.charAt(0).toUpperCase() + group.slice(1).replaceAll('-', ' ');

/** The operations of a group, in the order of the document. */
export const operationsOf = ({ paths }: OpenApiDocument, tag: string): PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.tags.includes(tag) ? [{ method: method.toUpperCase(), path: `/v1${path}`, operation }] : [],
    ),
  );

/** The method of an operation, in the colour of methods of its kind. */
export const methodBadge = (method: string): string => `<b class="method ${method.toLowerCase()}">${method}</b>`;

/** Writes operations as HTML. */
export class OperationView {
  constructor(
    private readonly schemas: SchemaView,
    private readonly calls: Readonly<Record<string, ClientCall>>,
  ) {}

  article(placed: PlacedOperation): string {
    const { method, path, operation } = placed;
    const { operationId, summary, description = '' } = operation;
    const body = this.bodyOf(operation);
    return `<article id="${operationId}"><h2><a href="#${operationId}">${escaped(summary)}</a></h2>
<p class="route">${methodBadge(method)} <code>${escaped(path)}</code></p><p>${prose(description)}</p>
${this.samples(placed)}
${this.parameters(operation)}${body ? `<h3>Body</h3>${this.schemas.members(body)}` : ''}
${this.answer(operation)}${this.answerExamples(operation)}<details><summary>Statuses and reasons</summary>${this.responses(operation)}${this.errorExamples(operation)}</details></article>`;
  }

  private bodyOf({ requestBody }: DocumentedOperation): JsonSchema | undefined {
    const schema = requestBody?.content[JSON_TYPE]?.schema;
    return schema && (typeof schema.$ref === 'string' ? this.schemas.follow(schema.$ref) : schema);
  }

  /** The recorded request in each language, by the language's name. */
  private samplesOf(placed: PlacedOperation): Record<string, string> {
    const { operationId } = placed.operation;
    const request = { ...placed, body: bodiesOf(placed.operation)[0]?.[1] };
    const call = this.calls[operationId];
    return {
      curl: curlOf(request),
      ...(call ? { TypeScript: typeScriptOf(request, call) } : {}),
      Python: pythonOf(request),
    };
  }

  /** All samples are readable without a script; radio buttons choose between them. */
  private samples(placed: PlacedOperation): string {
    const name = `example-${placed.operation.operationId}`;
    const samples = Object.entries(this.samplesOf(placed));
    const tabs = samples.map(([language], index) => {
      const id = `${name}-${language.toLowerCase()}`;
      const checked = index === 0 ? ' checked' : '';
      return `<input type="radio" name="${name}" id="${id}" value="${language}"${checked}><label for="${id}">${language}</label>`;
    });
    const blocks = samples.map(([language, code]) => codeBlock(language, code));
    const others = bodiesOf(placed.operation).slice(1);
    const bodies = others.map(
      ([member, body]) =>
        `<details class="answer"><summary>Body with <code>${member}</code></summary>${codeBlock('JSON', textOf(body))}</details>`,
    );
    return `<div class="tabs">${tabs.join('')}${blocks.join('')}</div>${bodies.join('')}`;
  }

  private parameters({ parameters = [] }: DocumentedOperation): string {
    const rows = parameters.map((given) => {
      const parameter =
        '$ref' in given
          ? this.schemas.follow<{
              name: string;
              in: string;
              required?: boolean;
              description?: string;
              schema: JsonSchema;
            }>(given.$ref)
          : given;
      const { name, schema, description = '' } = parameter;
      const place = `${parameter.in}${parameter.required ? '' : ', optional'}`;
      return [
        `<code>${escaped(name)}</code> <small>${place}</small>`,
        this.schemas.typeOf(schema),
        prose(description) + this.schemas.nestedIn(schema),
      ];
    });
    return rows.length === 0 ? '' : `<h3>Parameters</h3>${table(['Parameter', 'Type', 'Meaning'], rows)}`;
  }

  /** The type of `data` in the success answer. */
  private answer({ responses }: DocumentedOperation): string {
    // 200 beside another success is the answer to a dry run.
    const good = Object.entries(responses).findLast(([status]) => status.startsWith('2') && status !== '204');
    const content = good && 'content' in good[1] ? good[1].content : undefined;
    const name = /(\w+?)(List)?Envelope$/.exec(String(content?.[JSON_TYPE]?.schema.$ref ?? ''));
    return name
      ? `<p>Answers ${good![0]} with ${name[2] ? 'a list of ' : ''}${this.schemas.linkTo(name[1]!)} in <code>data</code>.</p>`
      : '';
  }

  /** The recorded answer to the example: the first success is open to the reader, a dry run beside it is not. */
  private answerExamples({ responses }: DocumentedOperation): string {
    const recorded = mediaOf(responses).filter(({ example }) => example !== undefined);
    const sorted = recorded.toSorted((a, b) => Number(b.status) - Number(a.status));
    return sorted
      .map(({ status, type, example }, index) => {
        const isDryRun = index > 0 && status === '200' && sorted[0]!.status !== '200';
        const label = isDryRun
          ? 'Answer 200 to a dry run'
          : `Answer ${status}${type === JSON_TYPE ? '' : ` as ${type}`}`;
        const open = index === 0 ? ' open' : '';
        return `<details class="answer"${open}><summary>${label}</summary>${codeBlock(LANGUAGES[type] ?? type, textOf(example))}</details>`;
      })
      .join('');
  }

  /** Each error that was recorded, by its reason. */
  private errorExamples({ responses }: DocumentedOperation): string {
    return mediaOf(responses)
      .flatMap(({ status, examples = {} }) =>
        Object.entries(examples).map(([reason, { value }]) => {
          const summary = `<code>${status}</code> <code>${escaped(reason)}</code>`;
          return `<details class="answer"><summary>${summary}</summary>${codeBlock('JSON', textOf(value))}</details>`;
        }),
      )
      .join('');
  }

  private responses({ responses }: DocumentedOperation): string {
    const rows = Object.entries(responses).map(([status, given]) => {
      const response = '$ref' in given ? this.schemas.follow<{ description: string }>(given.$ref) : given;
      return [`<code>${status}</code>`, linkedReasons(prose(response.description))];
    });
    return table(['Status', 'Meaning'], rows);
  }
}

const LANGUAGES: Readonly<Record<string, string>> = {
  [JSON_TYPE]: 'JSON',
  'text/csv': 'CSV',
  'text/calendar': 'iCalendar',
  'text/event-stream': 'Event stream',
};

const textOf = (example: unknown): string => (typeof example === 'string' ? example : JSON.stringify(example, null, 2));

/** The bodies of an operation's own responses, with their statuses. */
const mediaOf = (responses: DocumentedOperation['responses']) =>
  Object.entries(responses).flatMap(([status, response]) =>
    '$ref' in response
      ? []
      : Object.entries(response.content ?? {}).map(([type, media]) => ({ status, type, ...media })),
  );

const linkedReasons = (html: string): string =>
  html.replace(/<code>([a-z]+_[a-z_]+)<\/code>/g, '<a href="/docs/errors#$1"><code>$1</code></a>');
