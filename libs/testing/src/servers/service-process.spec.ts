import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from './nats-server.js';
import { startProcess } from './service-process.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'swim-process-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A main file with these lines. */
function main(name: string, lines: string): URL {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, lines);
  return pathToFileURL(file);
}

const HEALTHY = `
  import { createServer } from 'node:http';
  createServer((_, response) => response.end('ok')).listen(Number(process.env.HEALTH_PORT), '127.0.0.1');
`;

describe('a service process', () => {
  it('is reachable once it is healthy, and not after it was killed', async () => {
    const port = String(await freePort());
    const service = await startProcess(main('healthy', HEALTHY), { HEALTH_PORT: port });
    expect([service.ended, service.pid > 0]).toEqual([false, true]);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).ok).toBe(true);
    await service.kill();
    expect(service.ended).toBe(true);
    await service.exit();
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  });

  it('may end by itself, which can be awaited', async () => {
    const lines = `${HEALTHY} process.on('message', () => { process.send('armed'); setImmediate(() => process.exit(3)); });`;
    const service = await startProcess(main('mortal', lines), { HEALTH_PORT: String(await freePort()) });
    await service.crashAfterWrites(1);
    expect(await service.exit()).toBe(3);
    expect(service.ended).toBe(true);
    await expect(service.crashAfterWrites(1)).rejects.toThrow('The process has ended.');
  });

  it('that ends before it is ready rejects with an error that says so', async () => {
    const dying = main('dying', 'console.log("No key."); process.exit(78);');
    const started = startProcess(dying, { HEALTH_PORT: String(await freePort()) }, { captures: true });
    await expect(started).rejects.toThrow(/ended before it was ready \(78\)\nNo key\./);
  });
});
