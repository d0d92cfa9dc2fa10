import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));
const MOST_GZIPPED_BYTES = 20 * 1024;

const run = promisify(execFile);
let folder: string;
let dist: string;

/** Packs the package as it would be published, and installs it into an empty folder. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'swim-sdk-'));
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: PACKAGE,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await writeFile(path.join(folder, 'package.json'), '{"name":"app","type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], { cwd: folder });
  dist = path.join(folder, 'node_modules/@swim/sdk/dist');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The modules that `import` loads, as texts. */
const modules = async (): Promise<string[]> => {
  const names = (await readdir(dist, { recursive: true })).filter((name) => !name.startsWith('cjs'));
  return Promise.all(
    names.filter((name) => name.endsWith('.js')).map((name) => readFile(path.join(dist, name), 'utf8')),
  );
};

const mapsIn = async (name: string): Promise<string | undefined> =>
  (await readdir(dist, { recursive: true }))
    .map((each) => path.join(dist, each))
    .find((each) => path.basename(each) === name);

describe('the published package', () => {
  it('is imported in an empty folder, and lacks nothing', async () => {
    const program = `
      import { Swim, verifyWebhook, ConflictError } from '@swim/sdk';
      const client = new Swim({ apiKey: 'swl_test_x', baseUrl: 'http://127.0.0.1:9/v1', maxRetries: 0 });
      const error = await client.sessions.get('ses_1').catch((error) => error);
      console.log(error.name, typeof verifyWebhook, ConflictError.name);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder });
    expect(stdout.trim()).toBe('ConnectionError function ConflictError');
  });

  it('is required by a program of CommonJS, as the same', async () => {
    const program = `
      const { Swim, verifyWebhook, ConflictError } = require('@swim/sdk');
      new Swim({ apiKey: 'x', baseUrl: 'http://127.0.0.1:9/v1' });
      console.log(typeof verifyWebhook, ConflictError.name);`;
    const { stdout } = await run(process.execPath, ['--input-type=commonjs', '--eval', program], { cwd: folder });
    expect(stdout.trim()).toBe('function ConflictError');
  });

  it('has types that a strict compiler accepts, and no others', async () => {
    const app = `
      import { Swim, ConflictError, type Booking } from '@swim/sdk';
      const client = new Swim({ apiKey: 'x', baseUrl: 'http://127.0.0.1:9/v1' });
      export async function times(): Promise<string[]> {
        const booking: Booking = await client.bookings.get('bkg_1');
        try {
          // @ts-expect-error: members are required.
          await client.bookings.create({ instructor_id: 'ins_1' });
        } catch (error) {
          if (error instanceof ConflictError && error.details.reason === 'conflicting_dates')
            return error.details.conflicts.flatMap(({ suggestions }) => suggestions.map(({ start }) => start));
        }
        for await (const session of client.sessions.list({ status: 'scheduled' })) return [session.date];
        await client.sessions.list({ status: ['scheduled', 'completed'], date_from: new Date(), metadata: { a: 'b' } });
        await client.sessions.list({ status: 'scheduled,completed', ids: ['ses_1', 'ses_2'], date_to: '2027-03-01' });
        // @ts-expect-error: this is no status of a session.
        await client.sessions.list({ status: ['open'] });
        const lesson = { instructor_id: 'ins_1', member_ids: ['mem_1'] };
        const sessions = [{ date: new Date(), duration_minutes: 30 }];
        await client.bookings.create({ ...lesson, sessions });
        // @ts-expect-error: a booking has sessions, a recurrence or lessons.
        await client.bookings.create(lesson);
        // @ts-expect-error: and only one of them.
        await client.bookings.create({ ...lesson, sessions, lesson_ids: ['lsn_1'] });
        // @ts-expect-error: this is no filter of sessions.
        await client.sessions.list({ state: 'scheduled' });
        return [booking.status];
      }`;
    await writeFile(path.join(folder, 'app.ts'), app);
    const options = [
      '--strict',
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--lib',
      'es2024,dom',
      '--types',
      '',
    ];
    await expect(run(process.execPath, [TSC, ...options, 'app.ts'], { cwd: folder })).resolves.toMatchObject({
      stdout: '',
    });
  });

  it('uses nothing of Node, so that other runtimes can load it', async () => {
    const imports = (await modules()).flatMap((text) =>
      [...text.matchAll(/from ['"]([^'"]+)['"]/g)].map(([, from]) => from!),
    );
    expect(imports.length).toBeGreaterThan(10);
    expect(imports.filter((from) => !from.startsWith('./') && !from.startsWith('../'))).toEqual([]);
    expect((await modules()).join()).not.toMatch(/\b(?:process|Buffer|require|global)\b[.(]/);
  });

  it('has the map of each module, with its source', async () => {
    for (const text of await modules()) {
      const [, name = ''] = /sourceMappingURL=(.+)$/m.exec(text)!;
      const map = JSON.parse(await readFile((await mapsIn(name))!, 'utf8')) as { sourcesContent: string[] };
      expect(map.sourcesContent[0]).toBeTruthy();
    }
  });

  it('is at most 20 KB when compressed, as its README says', async () => {
    const bytes = gzipSync((await modules()).join('\n')).length;
    expect(bytes).toBeLessThanOrEqual(MOST_GZIPPED_BYTES);
    const readme = await readFile(path.join(dist, '../README.md'), 'utf8');
    const [, said] = /(\d+) KB compressed/.exec(readme)!;
    expect(Math.abs(bytes / 1_000 - Number(said))).toBeLessThan(1);
  });
});
