import dgram from 'node:dgram';
import type { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Config } from '../config.js';
import { TargetGuard } from './target-guard.service.js';

const [TYPE_A, TYPE_AAAA] = [1, 28];
const NAME = 'hooks.example.com';
const PUBLIC = '93.184.216.34';

/** What the name server answers at the moment: addresses by type of record. */
let answers: Record<number, readonly Buffer[]>;
let server: dgram.Socket;
let guard: TargetGuard;

const v4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number));
const v6 = (hex: string): Buffer => Buffer.from(hex.padStart(32, '0'), 'hex');

/** The response to a query of one name (RFC 1035 section 4). */
function responseTo(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const type = query.readUInt16BE(end - 4);
  const found = answers[type] ?? [];
  const header = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0]);
  const records = found.map((data) =>
    Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]),
  );
  return Buffer.concat([header, query.subarray(12, end), ...records]);
}

beforeEach(async () => {
  answers = {};
  server = dgram.createSocket('udp4');
  server.on('message', (query, { port, address }) => server.send(responseTo(query), port, address));
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  guard = new TargetGuard({ WEBHOOK_ALLOW_PRIVATE: false } as Config);
  (guard as unknown as { resolver: Resolver }).resolver.setServers([
    `127.0.0.1:${(server.address() as AddressInfo).port}`,
  ]);
});
afterEach(() => void server.close());

const lookUp = (hostname = NAME) =>
  new Promise<string>((resolve, reject) => {
    guard.lookupFor('live')(hostname, {}, (error, address) => (error ? reject(error) : resolve(String(address))));
  });

describe('the guard of targets', () => {
  it('rejects a name for a connection that had a public address when it was stored, and has a private one now', async () => {
    answers = { [TYPE_A]: [v4(PUBLIC)] };
    await guard.check('live', `https://${NAME}/`);
    expect(await lookUp()).toBe(PUBLIC);
    answers = { [TYPE_A]: [v4('127.0.0.1')] };
    await expect(lookUp()).rejects.toMatchObject({ code: 'FORBIDDEN_TARGET' });
    await expect(guard.check('live', `https://${NAME}/`)).rejects.toMatchObject({ reason: 'forbidden_target' });
  });

  it.each([
    ['a private address beside a public one', { [TYPE_A]: [v4(PUBLIC), v4('10.0.0.1')] }],
    ['a loopback address of IPv6 beside a public one', { [TYPE_A]: [v4(PUBLIC)], [TYPE_AAAA]: [v6('01')] }],
    ['a mapped address', { [TYPE_AAAA]: [v6('ffff7f000001')] }],
    ['an address of NAT64', { [TYPE_AAAA]: [v6('0064ff9b0000000000000000a9fea9fe')] }],
    ['an address of 6to4', { [TYPE_AAAA]: [v6('20027f00000100000000000000000000')] }],
    ['the address of a metadata service', { [TYPE_A]: [v4('169.254.169.254')] }],
    ['an address of CGNAT', { [TYPE_A]: [v4('100.100.100.200')] }],
    ['the unspecified address', { [TYPE_A]: [v4('0.0.0.0')] }],
  ])('rejects a name that resolves to %s', async (_, found) => {
    answers = found;
    await expect(guard.check('live', `https://${NAME}/`)).rejects.toMatchObject({ reason: 'forbidden_target' });
    await expect(lookUp()).rejects.toMatchObject({ code: 'FORBIDDEN_TARGET' });
  });

  it('accepts a name that does not resolve yet, and connects to nothing', async () => {
    await guard.check('live', `https://${NAME}/`);
    await expect(lookUp()).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('asks no name server for names of this machine', async () => {
    answers = { [TYPE_A]: [v4(PUBLIC)] };
    await expect(lookUp('api.localhost')).rejects.toMatchObject({ code: 'FORBIDDEN_TARGET' });
    await expect(lookUp('metadata.google.internal.')).rejects.toMatchObject({ code: 'FORBIDDEN_TARGET' });
  });
});
