import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { checkPort, readPort } from './stack-checks.ts';

it('defaults to 8080', () => expect([readPort(), readPort('')]).toEqual([8080, 8080]));

it('takes a port', () => expect(readPort('65535')).toBe(65_535));

it.each(['0', '65536', '80.5', 'abc', '-1'])('rejects %s as a port', (text) =>
  expect(() => readPort(text)).toThrow('PORT'),
);

it('names the variable for another port when the port is taken', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(checkPort(port)).rejects.toThrow('PORT=8090 npm start');
  server.close();
  await once(server, 'close');
  await expect(checkPort(port)).resolves.toBeUndefined();
});
