import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../system/files/temporary-folder.ts';
import { waitUntil } from '../../system/processes/ports.ts';
import { processesOf, readDevArguments, watchTree } from './dev.ts';

describe('arguments of npm run dev', () => {
  it('restart one service on save, with its debugger', () => {
    expect(readDevArguments(['booking', '--inspect=9300'])).toEqual({ names: ['booking'], flags: ['--inspect=9300'] });
  });

  it('restart every process without a service', () => {
    expect(readDevArguments([])).toEqual({
      names: ['booking', 'notification', 'payment', 'people', 'scheduling', 'gateway'],
      flags: [],
    });
  });

  it.each([[['bookings']], [['booking', 'people']], [['--inspect']], [['booking', '--watch']]])(
    'reject %j with a sentence',
    (args) => expect(() => readDevArguments(args)).toThrow(/usage:|needs the name/),
  );
});

describe('a watched folder', () => {
  const made = temporaryFolder();
  const inMade = (name: string) => path.join(made.folder, name);
  const seen: string[] = [];
  const saw = async (name: string) => {
    await waitUntil(async () => seen.includes(name), 10_000);
    expect(seen).toContain(name);
    seen.length = 0;
  };
  let end: () => void;
  beforeAll(() => {
    fs.mkdirSync(inMade('feature'));
    fs.writeFileSync(inMade('feature/a.ts'), '1');
    end = watchTree(made.folder, (name) => seen.push(name));
  });
  afterAll(() => {
    end();
    made.remove();
  });

  it('reports a file that is written, one that an editor replaces, and the next save of that', async () => {
    fs.appendFileSync(inMade('feature/a.ts'), '2');
    await saw('a.ts');
    fs.writeFileSync(inMade('feature/a.ts.new'), '3');
    fs.renameSync(inMade('feature/a.ts.new'), inMade('feature/a.ts'));
    await saw('a.ts');
    fs.appendFileSync(inMade('feature/a.ts'), '4');
    await saw('a.ts');
  });

  it('reports files of a new folder', async () => {
    fs.mkdirSync(inMade('feature/more'));
    fs.writeFileSync(inMade('feature/more/b.ts'), '1');
    await saw('b.ts');
    fs.appendFileSync(inMade('feature/more/b.ts'), '2');
    await saw('b.ts');
  });
});

describe('processes to restart', () => {
  const names = ['people', 'gateway'];

  it('are all when a library changed', () => {
    expect(processesOf(['libs/mongo', 'services/people'], names)).toEqual(names);
  });

  it('are those whose own sources changed', () => {
    expect(processesOf(['gateway', 'services/booking'], names)).toEqual(['gateway']);
  });
});
