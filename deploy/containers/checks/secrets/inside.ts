import type { Deployment } from '../deployment.ts';

/** Runs a program of Node in the container of a process, with an argument of any form. */
export async function inContainer<T>({ sh, write }: Deployment, process: string, program: string, argument: unknown) {
  write('inside.mjs', `const argument = ${JSON.stringify(argument)};\n${program}`);
  return JSON.parse(await sh(`docker compose exec -T ${process} node --input-type=module - < inside.mjs`)) as T;
}

/** What NATS answers to each user and password over TLS: `PONG`, or its refusal. It speaks lines, so that no client is needed. */
export const BUS_SIGN_INS = `
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
const ca = fs.readFileSync('/run/secrets/nats_ca');
const signIn = ([user, pass]) => new Promise((resolve, reject) => {
  const plain = net.connect(4222, 'nats');
  plain.on('error', reject);
  plain.once('data', () => {
    const socket = tls.connect({ socket: plain, ca, servername: 'nats' });
    let seen = '';
    socket.on('error', reject);
    socket.write('CONNECT ' + JSON.stringify({ user, pass, verbose: false }) + '\\r\\nPING\\r\\n');
    socket.on('data', (data) => {
      seen += data;
      const answer = /^(PONG|-ERR [^\\r]*)/m.exec(seen);
      if (answer) { resolve(answer[1]); plain.destroy(); }
    });
  });
});
console.log(JSON.stringify(await Promise.all(argument.map(signIn))));
`;

/** What the certificate of NATS is to each CA: `trusted`, or why it is not. */
export const BUS_CERTIFICATES = `
import net from 'node:net';
import tls from 'node:tls';
const look = (ca) => new Promise((resolve, reject) => {
  const plain = net.connect(4222, 'nats');
  plain.on('error', reject);
  plain.once('data', () => {
    const socket = tls.connect({ socket: plain, ca, servername: 'nats' }, () => { resolve('trusted'); socket.destroy(); });
    socket.on('error', (error) => resolve(error.code));
  });
});
console.log(JSON.stringify(await Promise.all(argument.map(look))));
`;

/** Whether the database lets each address in; run by mongosh. */
export const DATABASE_SIGN_INS = `
print(JSON.stringify(ADDRESSES.map((address) => {
  try { return connect(address).adminCommand({ ping: 1 }).ok === 1; } catch (error) { return false; }
})));
`;
