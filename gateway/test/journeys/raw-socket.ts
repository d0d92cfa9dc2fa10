import { connect } from 'node:net';
import { faultsOf } from './customer.js';

/** An answer as it was received from a socket. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  error: { code: string; message: string; details: { reason: string; field?: string } };
}

const SILENCE_MS = 60_000;
const HEAD_END = '\r\n\r\n';

/** Sends these bytes on a connection of its own and returns everything received until the server closes it. */
export function exchange(origin: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket
      .setEncoding('utf8')
      .setTimeout(SILENCE_MS, () =>
        socket.destroy(new Error(`The server neither answered nor closed the connection: ${received}`)),
      );
    socket.on('data', (text) => {
      received += text;
    });
    socket.on('error', reject);
    socket.on('close', (hadError) => hadError || resolve(received));
    socket.write(bytes);
  });
}

/** Parses a text as one answer; throws when it is none or more than one, or when its envelope is wrong. */
export function readAnswer(text: string): RawAnswer {
  const headEnd = text.indexOf(HEAD_END);
  const [first = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/:\s*/, 2) as [string, string]));
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  const body = text.slice(headEnd + HEAD_END.length);
  if (headEnd < 0 || Buffer.byteLength(body) !== Number(headers.get('content-length')))
    throw new Error(`Not one answer: ${text}`);
  const envelope = JSON.parse(body);
  const faults = faultsOf(status, headers, envelope);
  if (faults.length > 0) throw new Error(`A wrong envelope (${faults.join('; ')}): ${text}`);
  return { status, headers, error: envelope.error };
}

/** The text of a request. */
export const request = (line: string, headers: Record<string, string>, body = ''): string =>
  [
    `${line} HTTP/1.1`,
    ...Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
