import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { newId } from '@swim/platform';
import { MongoClient } from 'mongodb';
import { FloorBookings } from './floor-bookings.ts';
import { FloorOutbox } from './floor-outbox.ts';
import { FloorPayments } from './floor-payments.ts';

// The floor: one hand-written process with the driver alone. No authentication, no rate limits, no log.
const { MONGODB_URI = '', BENCH_FLOOR_DATABASE, BENCH_ACCOUNT_ID = '', PORT } = process.env;
const SESSION = /^\/v1\/sessions\/(ses_[0-9a-z]{26})$/;

const client = await new MongoClient(MONGODB_URI).connect();
const database = client.db(BENCH_FLOOR_DATABASE);
const outbox = new FloorOutbox(database);
const floor = new FloorBookings(database, outbox);
const payments = new FloorPayments(database, outbox);

async function handle(request: IncomingMessage, response: ServerResponse) {
  const requestId = newId('req');
  const answer = (status: number, body: object) => send(response, status, body, requestId);
  const session = request.method === 'GET' ? SESSION.exec(request.url ?? '') : null;
  if (session) {
    const data = await floor.findSession(session[1]!, BENCH_ACCOUNT_ID);
    return data ? answer(200, { success: true, data }) : answer(404, error('NOT_FOUND'));
  }
  if (request.method === 'POST' && request.url === '/v1/bookings') {
    const requested = readBooking(await readBody(request));
    if (!requested) return answer(400, error('VALIDATION_ERROR'));
    const data = await floor.book(requested, BENCH_ACCOUNT_ID, requestId);
    return data ? answer(201, { success: true, data }) : answer(409, error('CONFLICT'));
  }
  if (request.method === 'POST' && request.url === '/v1/payments') {
    const requested = readPayment(await readBody(request));
    if (!requested) return answer(400, error('VALIDATION_ERROR'));
    const key = String(request.headers['idempotency-key']);
    const data = await payments.pay(requested, BENCH_ACCOUNT_ID, { requestId, key });
    return data ? answer(201, { success: true, data }) : answer(409, error('CONFLICT'));
  }
  if (request.url === '/pending') return answer(200, { success: true, data: outbox.pending });
  return answer(404, error('NOT_FOUND'));
}

const error = (code: string) => ({ success: false, error: { code } });

async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function readBooking(text: string) {
  const requested = JSON.parse(text);
  const [session] = requested.sessions ?? [];
  const isWhole = typeof requested.instructor_id === 'string' && typeof requested.member_ids?.[0] === 'string';
  return isWhole && Date.parse(session?.date) > Date.now() && session.duration_minutes > 0 ? requested : null;
}

function readPayment(text: string) {
  const requested = JSON.parse(text);
  const isWhole = typeof requested.booking_id === 'string' && typeof requested.payment_method_id === 'string';
  return isWhole && requested.amount_cents > 0 && typeof requested.currency === 'string' ? requested : null;
}

function send(response: ServerResponse, status: number, body: object, requestId: string) {
  const text = JSON.stringify({ ...body, meta: { timestamp: new Date().toISOString(), request_id: requestId } });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error(error.message);
    send(response, 500, error('SERVER_ERROR'), newId('req'));
  });
}).listen(Number(PORT), '127.0.0.1');
// An orderly exit writes a profile.
process.once('SIGTERM', () => process.exit(0));
