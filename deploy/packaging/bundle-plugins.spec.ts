import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Plugin, rolldown } from 'rolldown';
import { PLUGINS } from '../bundle-plugins.ts';
import { nodeProgram } from '../system/node-program.mjs';
import { ROOT } from '../system/paths.mjs';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bundle-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** The bundle of a module with this code, in the folder of a service. */
async function bundled(code: string, plugins: readonly Plugin[] = PLUGINS): Promise<string> {
  const entry = {
    name: 'entry',
    resolveId: (source: string) => (source === 'entry' ? '\0entry' : null),
    load: (id: string) => (id === '\0entry' ? code : null),
  };
  const cwd = path.join(ROOT, 'services/people');
  const bundle = await rolldown({ input: 'entry', cwd, platform: 'node', plugins: [entry, ...plugins] });
  const { output } = await bundle.generate({ format: 'esm', strictExecutionOrder: true });
  await bundle.close();
  return output[0].code;
}

/** What the code prints as JSON when it is executed in a process of its own. */
function outputOf(code: string): unknown {
  const file = path.join(folder, 'entry.mjs');
  fs.writeFileSync(file, code);
  return JSON.parse(execFileSync(nodeProgram(), [file], { encoding: 'utf8' }));
}

const LOADED = `console.log(JSON.stringify(process.moduleLoadList.filter((name) => /undici\\/undici$|http2$/.test(name))))`;

describe('node:http in a bundle', () => {
  const code = `import { createServer } from 'node:http'; createServer(); ${LOADED}`;

  it('does not load the clients that an import of Node itself loads', async () => {
    expect(outputOf(await bundled(code))).toEqual([]);
    expect(outputOf(code)).toContain('NativeModule internal/deps/undici/undici');
  });

  it('is whole for a module that requires it', async () => {
    const all = `const http = require('http'); console.log(JSON.stringify([typeof http.globalAgent, http.maxHeaderSize]))`;
    expect(outputOf(await bundled(all))).toEqual(['object', 16_384]);
  });
});

describe('a connection string of MongoDB in a bundle', () => {
  const STRINGS = [
    'mongodb://localhost:27017/swim',
    'mongodb://a.example:1,b.example:2,[::1]:3/swim?replicaSet=rs0&readPreference=secondary&w=majority',
    'mongodb+srv://us%40er:p%C3%A4ss%2Fword%3A@cluster.example/?retryWrites=true&authSource=%24external',
    'mongodb://%2Ftmp%2Fmongodb-27017.sock/swim?TLS=true&tls=false',
    'MONGODB://xn--bcher-kva.example,BÜCHER.example/db%20name?appName=a+b%2Bc',
    'mongodb://user@localhost/?compressors=zstd,snappy&readPreferenceTags=dc:ny,rack:1&readPreferenceTags=',
    'mongodb://user:a:b@localhost/',
    'mongodb://user:a@b@localhost/',
    'mongodb:///swim',
    'http://localhost/',
  ];
  const code = `import { ConnectionString } from 'mongodb-connection-string-url';
const read = (text) => {
  try {
    const { hosts, username, password, pathname, protocol, isSRV, searchParams, href } = new ConnectionString(text);
    return { hosts, username, password, pathname, protocol, isSRV, options: [...searchParams], href };
  } catch (error) {
    return { error: error.name, message: error.message };
  }
};
console.log(JSON.stringify(${JSON.stringify(STRINGS)}.map(read)));`;

  it('is read as by the package that the bundle replaces', async () => {
    const [ours, replaced] = await Promise.all([bundled(code), bundled(code, [])]);
    expect(outputOf(ours)).toEqual(outputOf(replaced));
    expect(ours.length).toBeLessThan(replaced.length / 10);
  });
});

describe('contracts in a bundle', () => {
  it('are those that the module uses', async () => {
    const code = await bundled(
      `import { credit } from '@swim/contracts'; console.log(Object.keys(credit.shape).length)`,
    );
    expect(code).toContain('makeup_credit');
    expect(code).not.toMatch(/passkey|webhook_endpoint|payment_method/);
    expect(outputOf(code)).toBeGreaterThan(5);
  });
});

describe('the driver of MongoDB in a bundle', () => {
  it('loads what prepares a password when it prepares one', async () => {
    const code = await bundled(`import mongodb from 'mongodb'; console.log(typeof mongodb.MongoClient === 'function')`);
    expect(outputOf(code)).toBe(true);
    expect(code).toMatch(/=== ["']sha256["'] \? \(0, require_\w+\(\)\.saslprep\)\(password\)/);
    expect(code).not.toContain('saslprep_1');
  });
});
