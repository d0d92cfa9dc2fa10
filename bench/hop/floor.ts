import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from '@nats-io/transport-node';
import { GET_SESSION } from './session.ts';

// The floor is a hand-written server instead of a gateway. It has no policy and no log, and uses the NATS client with
// its defaults.
const ROUTE = /^\/v1\/sessions\/(ses_[0-9a-z]{26})$/;
const TIMEOUT_MS = 3_000;

const connection = await connect({ servers: process.env.NATS_URL! });

function answer(response: ServerResponse, status: number, body: object) {
  const text = JSON.stringify({
    ...body,
    meta: { timestamp: new Date().toISOString(), request_id: `req_${randomUUID()}` },
  });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

async function getSession(id: string, response: ServerResponse) {
  const reply = await connection.request(GET_SESSION, JSON.stringify({ session_id: id }), { timeout: TIMEOUT_MS });
  answer(response, 200, { success: true, data: reply.json() });
}

const server = createServer((request, response) => {
  const match = request.method === 'GET' ? ROUTE.exec(request.url ?? '') : null;
  if (!match) return answer(response, 404, { success: false, error: { code: 'NOT_FOUND' } });
  getSession(match[1]!, response).catch(() =>
    answer(response, 503, { success: false, error: { code: 'SERVER_ERROR' } }),
  );
});
server.listen(Number(process.env.PORT), '127.0.0.1');
