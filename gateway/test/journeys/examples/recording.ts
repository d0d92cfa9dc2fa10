import type { hasOneOf, Reason } from '@swim/contracts';
import { operationIdOf } from '../../../src/openapi/document.js';
import { nameOfOperation } from '../../../src/openapi/schemas.js';
import { ROUTES, type Route, type Webhook } from '../../../src/routes.js';
import { type Answer, answerOf, Customer, type SendOptions } from '../fixtures/customer.js';
import type { Normaliser } from './normaliser.js';

/** An answer as it is shown: its envelope, without headers. */
export type RecordedAnswer = Record<string, unknown>;

/** An operation in the file of recorded examples. */
export interface RecordedOperation {
  /** The request that led to the first answer of success. */
  request: {
    path?: Record<string, string>;
    query?: Record<string, string>;
    header?: Record<string, string>;
    body?: object;
  };
  /** Bodies of further successes, where an operation takes one of several members, by that member; the request has the first. */
  variants?: Record<string, object>;
  /** Answers of success by status. */
  responses: Record<string, RecordedAnswer | string>;
  /** The answer of success in further media types. */
  representations?: Record<string, string>;
  /** Errors by reason. */
  errors: Partial<Record<Reason, { status: number; answer: RecordedAnswer }>>;
}

export type RecordedExamples = Record<string, RecordedOperation>;

/** The route of a request, with the values of its path's parameters. */
interface Placed {
  route: Route;
  values: Record<string, string>;
}

const PATTERNS = ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** The route of a method and a path with its version; of two that fit, the one with fewer parameters. */
export function routeOf(method: string, path: string): Placed {
  const found = PATTERNS.flatMap(({ route, pattern }) => {
    const match = route.method === method ? pattern.exec(path) : null;
    return match ? [{ route, values: { ...match.groups } }] : [];
  });
  const [first] = found.sort((a, b) => Object.keys(a.values).length - Object.keys(b.values).length);
  if (!first) throw new Error(`No operation is ${method} ${path}.`);
  return first;
}

/** A request, by whom and as it was sent. */
interface Sent {
  customer: Customer;
  method: string;
  /** Below the version, with its query. */
  url: string;
  body: object | undefined;
}

/** Collects the first answer of each operation with each status of success, and with each reason of an error. */
export class Recording {
  readonly examples: RecordedExamples = {};
  /** The request of each operation's first success, as it was sent. */
  readonly sent = new Map<string, Sent>();

  constructor(private readonly normaliser: Normaliser) {}

  /** The same customer, whose requests are recorded. */
  customer(customer: Customer): Customer {
    return new RecordedCustomer(customer, this);
  }

  /** Whether no answer of this operation with this status is recorded yet. */
  lacks(operationId: string, status: number): boolean {
    return this.examples[operationId]?.responses[status] === undefined;
  }

  add(sent: Sent, answer: Answer): void {
    const { pathname, searchParams } = new URL(`http://host/v1${sent.url}`);
    const { route, values } = routeOf(sent.method, pathname);
    const name = operationIdOf(route);
    if (answer.status >= 400) {
      this.addError(name, answer);
      return;
    }
    const isDryRun = searchParams.has('dry_run');
    const variant = variantOf(route, sent.body);
    if (variant !== null) {
      if (!isDryRun) this.addVariant(name, variant, sent.body!);
      return;
    }
    if (!this.lacks(name, answer.status)) return;
    const operation = this.operation(name);
    if (!isDryRun && !this.sent.has(name)) {
      this.sent.set(name, sent);
      operation.request = this.normaliser.of(requestOf(values, searchParams, sent.body), `${name} request`);
    }
    const answered: RecordedAnswer | string = answer.text === '' ? '' : JSON.parse(answer.text);
    operation.responses[answer.status] = this.normaliser.of(answered, `${name} ${answer.status}`);
  }

  /** Adds an answer that is not JSON, or of a page. */
  addAnswer(operationId: string, request: RecordedOperation['request'], answer: RecordedAnswer | string): void {
    const operation = this.operation(operationId);
    operation.request = this.normaliser.of(request, `${operationId} request`);
    operation.responses[200] = this.normaliser.of(answer, operationId);
  }

  /** Adds an answer in another media type than that of its example. */
  addRepresentation(operationId: string, type: string, text: string): void {
    const operation = this.operation(operationId);
    operation.representations = { ...operation.representations, [type]: this.normaliser.of(text, operationId) };
  }

  /** Sends a webhook of a processor, and adds it with its answer. */
  async sendWebhook(origin: string, { path, operation, signatureHeader }: Webhook, body: object, signature: string) {
    const raw = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', [signatureHeader]: signature };
    const response = await fetch(origin + path, { method: 'POST', headers, body: raw });
    const answer = answerOf(response.status, response.headers, await response.text());
    const name = nameOfOperation(operation);
    if (answer.status >= 400) this.addError(name, answer);
    else {
      const recorded = this.operation(name);
      const header = { [signatureHeader]: signature };
      recorded.request = this.normaliser.of({ header, body }, `${name} request`);
      recorded.responses[answer.status] = this.normaliser.of(JSON.parse(answer.text), `${name} ${answer.status}`);
    }
    return answer;
  }

  private addVariant(name: string, member: string, body: object): void {
    const operation = this.operation(name);
    operation.variants ??= {};
    operation.variants[member] ??= this.normaliser.of(body, `${name} request`);
  }

  private operation(name: string): RecordedOperation {
    this.examples[name] ??= { request: {}, responses: {}, errors: {} };
    return this.examples[name];
  }

  private addError(name: string, { status, text, error }: Answer): void {
    const reason = error.details.reason as Reason;
    const { errors } = this.operation(name);
    errors[reason] ??= { status, answer: this.normaliser.of(JSON.parse(text), `${name} ${reason}`) };
  }
}

/** The member by which a body differs from the usual one of its operation, which has the first of several; null for that one. */
function variantOf({ operation }: Route, body: object | undefined): string | null {
  const { oneOf = [] } = (operation.input.meta() ?? {}) as Partial<ReturnType<typeof hasOneOf>>;
  const [, ...others] = oneOf.map(({ required: [member] }) => member!);
  return others.find((member) => body && member in body) ?? null;
}

function requestOf(path: Record<string, string>, query: URLSearchParams, body: object | undefined) {
  return {
    ...(Object.keys(path).length > 0 ? { path } : {}),
    ...(query.size > 0 ? { query: Object.fromEntries(query) } : {}),
    ...(body === undefined ? {} : { body }),
  };
}

/** Statuses of success besides which a dry run has another, 200. */
const BESIDE_DRY_RUNS = [201, 202];

class RecordedCustomer extends Customer {
  constructor(
    { baseUrl, id, key }: Customer,
    private readonly recording: Recording,
  ) {
    super(baseUrl, id, key);
  }

  override async send<T>(method: string, path: string, options: SendOptions = {}): Promise<Answer<T>> {
    const { route } = routeOf(method, new URL(`http://host/v1${path}`).pathname);
    const sent = { customer: this, method, url: path, body: options.body };
    if (BESIDE_DRY_RUNS.includes(route.status) && this.recording.lacks(operationIdOf(route), 200)) {
      const dryRun = await super.send<T>(method, `${path}?dry_run=true`, { ...options, headers: {} });
      if (dryRun.status === 200) this.recording.add({ ...sent, url: `${path}?dry_run=true` }, dryRun);
    }
    const answer = await super.send<T>(method, path, options);
    this.recording.add(sent, answer);
    return answer;
  }
}
