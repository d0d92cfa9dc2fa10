import { connect, headers } from '@nats-io/transport-node';
import { exampleSession, GET_SESSION, READ_CLOCK, VERIFY_KEY } from './session.ts';

// This fake replaces the services behind both sides, so that both wait for the same work: it replies from memory, at
// once.
const { NATS_URL = '', BENCH_SESSION_ID = '', BENCH_PRINCIPAL = '' } = process.env;

const session = Buffer.from(JSON.stringify(exampleSession(BENCH_SESSION_ID)));
const verdict = Buffer.from(
  JSON.stringify({ principal: JSON.parse(BENCH_PRINCIPAL), expiresAt: null, ipAllowlist: [] }),
);
const connection = await connect({ servers: NATS_URL });
connection.subscribe(GET_SESSION, { callback: (_, message) => void message.respond(session) });
connection.subscribe(READ_CLOCK, {
  callback: (_, message) => {
    const clock = headers();
    clock.set('Clock', String(Date.now()));
    message.respond(JSON.stringify({ now: new Date().toISOString() }), { headers: clock });
  },
});
connection.subscribe(VERIFY_KEY, { callback: (_, message) => void message.respond(verdict) });
