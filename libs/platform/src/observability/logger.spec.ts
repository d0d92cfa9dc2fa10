import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { type Logger as PinoLogger, pino } from 'pino';
import { inEnvironment } from '../context/environment.js';
import { withLogContext } from '../context/log-context.js';
import { createLogger, type Logger } from './logger.js';

const CANARY = 'Canary Ada, asthma, +49 30 901820';

/** Returns a logger that collects its lines. It has pino's own type, which accepts every field. */
function capture(): { logger: PinoLogger; lines: Record<string, unknown>[]; printed: () => string } {
  const logger = createLogger('people', 'trace') as unknown as PinoLogger;
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  Object.assign(logger, { [pino.symbols.streamSym]: stream });
  return { logger, lines, printed: () => JSON.stringify(lines) };
}

/** Returns the output of a process that logs this many lines and ends at once. */
async function printedBy(count: number, ending: string): Promise<string[]> {
  const library = new URL('../../dist/index.js', import.meta.url).href;
  const program = `import { createLogger } from '${library}';
    const logger = createLogger('people', 'info');
    for (let count = 0; count < ${count}; count++) logger.info({ count }, 'one of many');
    ${ending}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { PATH: process.env.PATH },
  });
  let text = '';
  for await (const bytes of child.stdout) text += bytes;
  return text.trim().split('\n');
}

/**
 * Returns the last line of a process whose output is read late, so that its buffer is still full when the line is
 * logged.
 */
async function lastPrintedByBlocked(): Promise<string> {
  const library = new URL('../../dist/index.js', import.meta.url).href;
  const program = `import { createLogger } from '${library}';
    setInterval(() => undefined, 1_000);
    const logger = createLogger('people', 'info');
    for (let count = 0; count < 5_000; count++) logger.info({ count }, 'one of many');
    setTimeout(() => logger.info('the last'), 150);
    setTimeout(() => process.stderr.write('its flush was due'), 600);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { PATH: process.env.PATH },
  });
  try {
    await once(child.stderr, 'data');
    let text = '';
    for await (const bytes of child.stdout) {
      text += bytes;
      if (text.includes('the last')) break;
    }
    return text.trim().split('\n').at(-1)!;
  } finally {
    child.kill();
  }
}

const duplicate = () =>
  Object.assign(
    new Error(`E11000 duplicate key error collection: people index: email_1 dup key: { email: "${CANARY}" }`),
    {
      code: 11_000,
      keyValue: { email: CANARY },
      writeErrors: [{ op: { email: CANARY } }],
    },
  );

describe('a process that ends', () => {
  it.each([
    ['when it has nothing left to do', ''],
    ['at once', 'process.exit(1);'],
    ['because of an error that nobody caught', 'throw new Error("lost");'],
  ])('%s has printed all of its lines, in order', async (_, ending) => {
    const counts = (await printedBy(5_000, ending)).map((line) => (JSON.parse(line) as { count: number }).count);
    expect(counts).toEqual(Array.from({ length: 5_000 }, (_each, count) => count));
  });
});

describe('a process that stays', () => {
  it('prints the lines that were logged while it wrote others', async () => {
    expect(JSON.parse(await lastPrintedByBlocked())).toMatchObject({ msg: 'the last' });
  });
});

describe('a log line', () => {
  it('is JSON with level, time, service and process', () => {
    const { logger, lines } = capture();
    logger.warn('late');
    expect(lines).toEqual([
      { level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/), pid: process.pid, service: 'people', msg: 'late' },
    ]);
  });

  it('has request, operation, account, environment and trace of the current request', async () => {
    const { logger, lines } = capture();
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const operation = 'people.createMember';
    const context = { requestId: 'req_1', operation, accountId: 'acct_1', traceparent };
    const work = async () => {
      await Promise.resolve();
      logger.info('inside');
    };
    await inEnvironment('test', () => withLogContext(context, work));
    logger.info('outside');
    expect(lines[0]).toMatchObject({ ...context, env: 'test', msg: 'inside' });
    expect(lines[1]).not.toHaveProperty('requestId');
    expect(lines[1]).not.toHaveProperty('env');
  });

  it('has the allowed fields only, whatever the others are called', () => {
    const { logger, lines, printed } = capture();
    logger.info(
      {
        bookingId: 'bkg_1',
        status: 409,
        component: 'sweep',
        name: CANARY,
        address: CANARY,
        body: CANARY,
        email: CANARY,
        medical_notes: CANARY,
      },
      'done',
    );
    expect(lines[0]).toMatchObject({ bookingId: 'bkg_1', status: 409, component: 'sweep' });
    expect(printed()).not.toContain(CANARY);
  });

  it('has no document inside an allowed field', () => {
    const { logger, lines, printed } = capture();
    logger.info(
      { state: { medicalNotes: CANARY }, reason: [CANARY], how: new Map([[1, CANARY]]), count: 0, step: null },
      'done',
    );
    expect(printed()).not.toContain('Canary');
    expect(lines[0]).toMatchObject({ count: 0, step: null });
  });

  it('of a child logger, and of a child of that, has the allowed fields only', () => {
    const { logger, lines, printed } = capture();
    const child = logger.child({ sessionId: 'ses_1', member: CANARY });
    child.child({ step: 'claim', notes: CANARY, state: { notes: CANARY } }).info({ body: CANARY }, 'done');
    child.setBindings({ phone: CANARY });
    child.info('again');
    expect(lines[0]).toMatchObject({ sessionId: 'ses_1', step: 'claim', service: 'people' });
    expect(printed()).not.toContain('Canary');
  });
});

describe('a field that log lines may not have', () => {
  it('does not compile, in a literal or in a value of another type', () => {
    const { logger, printed } = capture();
    const typed: Logger = logger as unknown as Logger;
    const document = { holdId: 'hold_1', medicalNotes: CANARY };
    // @ts-expect-error
    typed.info({ holdId: 'hold_1', memberName: CANARY }, 'done');
    // @ts-expect-error
    typed.info(document, 'done');
    // @ts-expect-error
    typed.info({ reason: { medicalNotes: CANARY } }, 'done');
    // @ts-expect-error
    typed.info(new Error(CANARY));
    typed.error({ err: new Error('known'), holdId: 'hold_1', waitlistId: 'wl_1', accountId: undefined }, 'done');
    expect(printed()).toContain('"holdId":"hold_1","waitlistId":"wl_1"');
  });
});

describe('an error in the log', () => {
  it('has name, message, code, stack and cause, and no other property', () => {
    const { logger, lines, printed } = capture();
    const cause = Object.assign(new TypeError('inner'), { document: CANARY });
    logger.error(
      { err: Object.assign(new Error('outer', { cause }), { code: 'ECONNRESET', request: CANARY }) },
      'failed',
    );
    expect(lines[0]!.err).toEqual({
      name: 'Error',
      message: 'outer',
      code: 'ECONNRESET',
      stack: expect.stringContaining('logger.spec'),
      cause: { name: 'TypeError', message: 'inner', stack: expect.any(String) },
    });
    expect(printed()).not.toContain(CANARY);
  });

  it.each([
    ['in a field', (logger: PinoLogger) => logger.error({ err: duplicate() }, 'failed')],
    ['in a field, without words', (logger: PinoLogger) => logger.error({ err: duplicate() })],
    ['alone', (logger: PinoLogger) => logger.error(duplicate())],
    [
      'as a cause',
      (logger: PinoLogger) => logger.error({ err: new Error('failed', { cause: duplicate() }) }, 'failed'),
    ],
    ['as its message only', (logger: PinoLogger) => logger.error({ err: duplicate().message }, 'failed')],
    ['in the words', (logger: PinoLogger) => logger.error(`failed: ${duplicate().message}`)],
    ['bound to a child', (logger: PinoLogger) => logger.child({ err: duplicate() }).error('failed')],
  ])('of a value taken already, %s, does not show the value', (_, log) => {
    const { logger, lines, printed } = capture();
    log(logger);
    expect(lines).toHaveLength(1);
    expect(printed()).toContain('dup key');
    expect(printed()).not.toContain('Canary');
  });

  it('that is no Error is logged as text', () => {
    const { logger, lines } = capture();
    logger.error({ err: 'plain' }, 'failed');
    logger.error({ err: undefined }, 'failed');
    expect(lines[0]!.err).toEqual({ message: 'plain' });
    expect(lines[1]).not.toHaveProperty('err');
  });

  it('that is its own cause is logged without recursion', () => {
    const { logger, lines } = capture();
    const error = new Error('round');
    error.cause = error;
    logger.error({ err: error }, 'failed');
    expect(lines[0]!.err).toMatchObject({ message: 'round' });
  });
});
