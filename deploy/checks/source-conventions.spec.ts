import { describe, expect, it } from '@jest/globals';
import { findFolderOffences, findMarkdownOffences, findOffences } from './source-conventions.ts';

const path = 'services/booking/src/bookings/making/bookings.service.ts';
const spec = 'services/booking/test/bookings.spec.ts';

describe('the source conventions', () => {
  it('accept tidy code', () => {
    expect(
      findOffences(path, "import { z } from 'zod';\nconst page = query.skip(10);\nawait import('./late.js');\n"),
    ).toEqual([]);
  });

  it('allow 300 lines and reject the next one', () => {
    expect(findOffences(path, 'line\n'.repeat(300))).toEqual([]);
    expect(findOffences(path, 'line\n'.repeat(301))).toEqual([
      `${path} has 301 lines; the ceiling is 300: split it by what it knows.`,
    ]);
  });

  it('allow 15 files in a folder, its folders apart, and reject the next one', () => {
    const files = Array.from({ length: 15 }, (_, index) => `libs/mongo/src/file-${index}.ts`);
    expect(findFolderOffences([...files, 'libs/mongo/src/lists/paging.ts', 'libs/mongo/src/README.md'])).toEqual([]);
    expect(findFolderOffences([...files, 'libs/mongo/src/paging.ts'])).toEqual([
      'libs/mongo/src has 16 files; the ceiling is 15: make folders by meaning.',
    ]);
  });

  // Concatenated, so that this file does not match itself.
  it.each([
    ['TO', 'DO'],
    ['FIX', 'ME'],
  ])('reject the note %s%s that postpones work', (...halves) => {
    expect(findOffences(path, `\n// ${halves.join('')}: later\n`)).toEqual([
      expect.stringMatching(`^${path}:2 postpones work`),
    ]);
  });

  it.each([
    ['it', '.only'],
    ['describe', '.skip'],
    ['test.concurrent', '.only'],
    ['x', 'it'],
    ['f', 'describe'],
  ])('reject %s%s in a test', (...halves) => {
    expect(findOffences(spec, `${halves.join('')}('x', () => {});`)).toEqual([
      expect.stringContaining(':1 runs or skips'),
    ]);
  });

  it('reject the name of a process in a library that knows no product', () => {
    const line = "if (process === 'people') return keys;";
    expect(findOffences('libs/messaging/src/streams/permissions.ts', line)).toEqual([
      expect.stringContaining(':1 names a process of the product'),
    ]);
    expect(findOffences('libs/contracts/src/operations/operation.ts', line)).toEqual([]);
  });

  it.each(['utils', 'common', 'helpers', 'interfaces'])("reject a folder or a file called '%s'", (name) => {
    expect(findOffences(`libs/platform/src/${name}/x.ts`, '')).toHaveLength(1);
    expect(findOffences(`libs/platform/src/${name}.ts`, '')).toHaveLength(1);
    expect(findOffences(`libs/platform/src/${name}-room.ts`, '')).toHaveLength(0);
  });

  it.each(['const now = Date.now();', 'constructor(now = Date.now) {}', 'at: new Date(),', 'performance.timeOrigin'])(
    'reject the clock of the machine in %s',
    (line) => {
      for (const where of [path, 'libs/mongo/src/x.ts', 'gateway/src/rate-limits/x.ts']) {
        expect(findOffences(where, line)).toEqual([expect.stringContaining(':1 reads the clock of this machine')]);
      }
      for (const where of [spec, 'libs/testing/src/x.ts', 'libs/platform/src/context/clock.ts', 'deploy/local/x.ts']) {
        expect(findOffences(where, line)).toEqual([]);
      }
      expect(findOffences(path, 'new Date(text); sharedClock.now(); performance.now();')).toEqual([]);
    },
  );

  it('allow 310 KB of Markdown and reject more', () => {
    expect(findMarkdownOffences(310)).toEqual([]);
    expect(findMarkdownOffences(311)).toEqual([expect.stringContaining('has 311 KB')]);
  });

  it('reject an index without a comment that names its query', () => {
    const schema = 'services/people/src/people/members/member.schema.ts';
    const declared = ['memberSchema.index({ accountId: 1 });', "  indexDue(stepped, 'nextAt');", 'keySchema.index('];
    for (const line of declared) {
      expect(findOffences(schema, `// For a list.\n${line}\n`)).toEqual([]);
      expect(findOffences(schema, `const a = 1;\n${line}\n`)).toEqual([
        expect.stringContaining(':2 declares an index'),
      ]);
      expect(findOffences('services/people/test/keys/keys.spec.ts', line)).toEqual([]);
    }
  });

  it.each(
    ['type A = IMPORT.B;', 'let a: IMPORT.B;', 'type A = Set<typeof IMPORT>;'].map((line) =>
      line.replace('IMPORT', 'import("./b.js")'),
    ),
  )('reject the import inside a type in %s', (line) => {
    expect(findOffences(path, line)).toEqual([expect.stringContaining('import it at the top')]);
  });
});
