import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { grants } from '@swim/contracts';
import { AppError } from '@swim/platform';
import type { Exchange } from '../exchange.js';
import { readJsonBody } from '../requests/json-body.js';
import { readRawBody } from '../requests/raw-body.js';
import { readQuery, type Target } from '../requests/request-target.js';
import { existsIn } from '../router.js';
import { EVERYDAY } from './everyday-tools.js';
import { callTool } from './tool-call.js';
import type { Tool } from './tools.js';

const INSTRUCTIONS = `Books swimming lessons for the account of the API key. Usual order: list_instructors, then list_availability for the soonest times of several or get_availability for one (times have the offset of the requested timezone), list_members or create_member, create_booking, then create_payment. Times that are sent need a UTC offset. Amounts are minor units (cents).
Before you cancel, ask for the quote and tell the person the fee. Pay, refund or erase only after the person has agreed to exactly that: these tools need confirm: true. dry_run checks a change without making it. Give each change an idempotency_key, and repeat it with the same key when no answer came.
An error says what to change; a lesson that does not fit comes with free times as suggestions.
These are the tools of every day. Where a job needs another, say that the address of this server with ?tools=all lists them all.`;

const INFO = { name: 'swim-lesson-scheduling', title: 'Swim Lesson Scheduling', version: '1.0.0' };

/** Headers of the request that the protocol reads. */
const HEADERS = ['content-type', 'mcp-protocol-version'] as const;
const VALIDATOR = new AjvJsonSchemaValidator();

/**
 * Rejects requests that a web page of another origin has made: `foreign_origin`. Where the gateway knows its public origin, that is
 * what counts: a page whose name resolves to the gateway's address (DNS rebinding) has the same host in both headers.
 */
function checkOrigin({ request: { headers }, dependencies: { publicOrigin } }: Exchange): void {
  const { origin, host } = headers;
  if (origin === undefined) return;
  if (publicOrigin === '' ? URL.canParse(origin) && new URL(origin).host === host : origin === publicOrigin) return;
  throw new AppError('foreign_origin', { field: 'Origin' });
}

function protocolRequest({ request }: Exchange): Request {
  // All answers are JSON, which clients take that accept anything, or do not say what.
  const headers = new Headers({ accept: 'application/json, text/event-stream' });
  for (const name of HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://gateway/mcp', { method: 'POST', headers });
}

/** One message of a body, in the shape that the protocol's library accepts; throws the errors of bodies, also of several messages. */
function readMessage(bytes: Buffer): Record<string, unknown> {
  const message = readJsonBody(bytes);
  const { params } = message;
  const hasNone = typeof params === 'object' && params !== null && 'arguments' in params && params.arguments === null;
  return hasNone ? { ...message, params: { ...params, arguments: {} } } : message;
}

/** An error of the API in the terms of JSON-RPC 2.0, whose clients expect no other answer to what they take for a message. */
function rpcError(thrown: unknown): Buffer {
  if (!(thrown instanceof AppError)) throw thrown;
  const code = thrown.reason === 'invalid_json' ? ErrorCode.ParseError : ErrorCode.InvalidRequest;
  const error = { code, message: thrown.message, data: thrown.toBody() };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}

/**
 * The server of the Model Context Protocol (streamable HTTP). It keeps no sessions: each message is a request of its own, which
 * any gateway answers. Key, limits and bodies are checked as for the API.
 */
export class McpEndpoint {
  private readonly byName: ReadonlyMap<string, Tool>;

  constructor(private readonly tools: readonly Tool[]) {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** Answers one message. Throws `foreign_origin`. */
  async answer(exchange: Exchange): Promise<void> {
    checkOrigin(exchange);
    const bytes = await readRawBody(exchange.request);
    let parsedBody: Record<string, unknown>;
    let listed: readonly Tool[];
    try {
      parsedBody = readMessage(bytes);
      listed = this.listedAt(exchange.target);
    } catch (error) {
      exchange.relay(400, 'application/json', rpcError(error));
      return;
    }
    const server = this.serverFor(exchange, listed, bytes.length);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const response = await transport.handleRequest(protocolRequest(exchange), { parsedBody });
      const body = Buffer.from(await response.arrayBuffer());
      exchange.relay(response.status, body.length === 0 ? null : response.headers.get('content-type'), body);
    } finally {
      await server.close();
    }
  }

  /** The tools that an address lists: those of every day, all with `?tools=all`, or those that it names. Throws `invalid_value`. */
  private listedAt({ query }: Target): readonly Tool[] {
    const names = readQuery(query).get('tools');
    if (names === undefined) return this.tools.filter(({ endpoint }) => EVERYDAY.has(endpoint.operation));
    if (names === 'all') return this.tools;
    return [...new Set(names.split(','))].map((name) => {
      const tool = this.byName.get(name);
      if (!tool) throw unknownTool();
      return tool;
    });
  }

  private serverFor(exchange: Exchange, listed: readonly Tool[], bodyBytes: number): Server {
    const options = { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: VALIDATOR };
    const server = new Server(INFO, options);
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: shownTo(exchange, listed) }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      const tool = this.byName.get(params.name);
      if (!tool || !existsIn(exchange.principal!.env, tool.endpoint.path))
        throw new McpError(ErrorCode.InvalidParams, 'No tool has this name. List the tools to see their names.');
      return callTool(tool, params.arguments ?? {}, exchange, bodyBytes);
    });
    return server;
  }
}

const unknownTool = (): AppError =>
  new AppError('invalid_value', {
    field: 'tools',
    bounds: { expected: 'all, or names of tools, separated by commas' },
  });

/** The tools that the key has the scopes for. */
const shownTo = ({ principal }: Exchange, listed: readonly Tool[]) =>
  listed
    .filter(({ endpoint: { path } }) => existsIn(principal!.env, path))
    .filter(({ endpoint: { scope, alsoNeeds } }) =>
      [scope, alsoNeeds].every((each) => !each || grants(principal!.scopes, each)),
    )
    .map(({ name, title, description, inputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations,
    }));
