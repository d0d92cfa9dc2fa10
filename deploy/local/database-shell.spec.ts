import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../system/paths.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';

const SHELL = path.join(ROOT, 'deploy/local/database-shell.ts');
const env = { ...process.env, MONGODB_URI: process.env.TEST_MONGODB_URI, DATABASE_PREFIX: 'never_written' };

/** Returns the output of the shell for these lines, without its output at start. */
function type(...lines: string[]) {
  const options = { encoding: 'utf8', timeout: 60_000, env, input: `${lines.join('\n')}\n` } as const;
  const printed = execFileSync(nodeProgram(), [SHELL], options);
  return printed.split('\n').slice(1).join('\n').replaceAll('db> ', '').replaceAll('| ', '');
}

describe('the shell of npm run db', () => {
  it('answers every line before it ends', () => {
    expect(type('await booking.test.bookings.countDocuments({})', '.exit')).toBe('0\n');
    expect(type('people.live.members.find({})')).toBe('[]\n');
  });

  it('keeps what a line declares, and takes an expression of several lines', () => {
    const lines = [
      'const n = await booking.test.bookings.countDocuments({})',
      'n + 1',
      'booking.test.bookings.find({',
      '})',
    ];
    expect(type(...lines)).toBe('undefined\n1\n[]\n');
  });

  it('goes on after an error', () => {
    expect(type('nothing.here', '1 + 1')).toMatch(/ReferenceError: nothing is not defined[\s\S]*\n2\n$/);
  });
});

describe('npm run db with an expression', () => {
  const evaluate = (expression: string) => spawnSync(nodeProgram(), [SHELL, expression], { encoding: 'utf8', env });

  it.each([
    ['booking.test.bookings.find({})', '[]\n'],
    ['await booking.test.bookings.countDocuments({})', '0\n'],
  ])('prints the value of %s', (expression, printed) => {
    expect(evaluate(expression)).toMatchObject({ status: 0, stdout: printed });
  });

  it('ends with 1 and the message of an error', () => {
    expect(evaluate('booking.test.bookings.find({')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.any(String),
    });
  });
});
