import crypto from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createBooking } from '@swim/contracts';
import { newId } from '@swim/platform';
import pg from 'pg';
import { type Answer, MonolithBookings } from './monolith-bookings.ts';

// This server is what a school could write instead of the product: one process of node:http and pg on PostgreSQL.
const { MONOLITH_DATABASE = '', PORT } = process.env;
const CONNECTIONS = 24;
const SESSION = /^\/v1\/sessions\/(ses_[0-9a-z]{26})$/;
const STATUS_OF: Record<string, number> = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  NOT_FOUND: 404,
  CONFLICT: 409,
  IDEMPOTENCY_MISMATCH: 422,
};

const pool = new pg.Pool({ connectionString: MONOLITH_DATABASE, max: CONNECTIONS });
const bookings = new MonolithBookings(pool);
const accounts = new Map<string, string>();

/** Returns the account of an API key; the database is queried once for each key. */
async function authenticate({ authorization = '' }: IncomingMessage['headers']): Promise<string | null> {
  const hash = crypto.createHash('sha256').update(authorization).digest('hex');
  if (!accounts.has(hash)) {
    const { rows } = await pool.query('select account_id from api_keys where hash = $1', [hash]);
    if (rows.length === 0) return null;
    accounts.set(hash, rows[0].account_id);
  }
  return accounts.get(hash) ?? null;
}

async function handle(request: IncomingMessage): Promise<Answer> {
  const accountId = await authenticate(request.headers);
  if (!accountId) return { code: 'UNAUTHORIZED' };
  const session = request.method === 'GET' ? SESSION.exec(request.url ?? '') : null;
  if (session) return (await bookings.findSession(session[1]!, accountId)) ?? { code: 'NOT_FOUND' };
  if (request.method !== 'POST' || request.url !== '/v1/bookings') return { code: 'NOT_FOUND' };
  const text = await readBody(request);
  const parsed = createBooking.input.safeParse(JSON.parse(text));
  const key = request.headers['idempotency-key']?.toString();
  const { lesson_ids: [lessonId] = [], sessions } = parsed.data ?? {};
  const fingerprint = crypto.createHash('sha256').update(text).digest('hex');
  if (parsed.data && lessonId && key)
    return bookings.bookPlace({ lessonId, memberId: parsed.data.member_ids[0]! }, { accountId, key, fingerprint });
  const isFuture = sessions?.every(({ date }) => Date.parse(date) > Date.now());
  if (!parsed.success || !sessions || !isFuture || !key || key.length > 255) return { code: 'VALIDATION_ERROR' };
  return bookings.book({ ...parsed.data, sessions }, { accountId, key, fingerprint });
}

async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function send(request: IncomingMessage, response: ServerResponse, { data, code }: Answer) {
  const meta = JSON.stringify({ timestamp: new Date().toISOString(), request_id: newId('req') });
  const text = data
    ? `{"success":true,"data":${data},"meta":${meta}}`
    : `{"success":false,"error":${JSON.stringify({ code })},"meta":${meta}}`;
  const succeeded = request.method === 'POST' ? 201 : 200;
  response.writeHead(code ? (STATUS_OF[code] ?? 500) : succeeded, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

createServer((request, response) => {
  handle(request).then(
    (answer) => send(request, response, answer),
    (error) => {
      console.error(error);
      send(request, response, { code: 'SERVER_ERROR' });
    },
  );
}).listen(Number(PORT), '127.0.0.1');
