import { describe, expect, it } from '@jest/globals';
import { processesOf, readDevArguments } from './dev.mjs';

describe('arguments of npm run dev', () => {
  it('restart one service on save, with its debugger', () => {
    expect(readDevArguments(['booking', '--inspect=9300'])).toEqual({ names: ['booking'], flags: ['--inspect=9300'] });
  });

  it('restart every process without a service', () => {
    expect(readDevArguments([])).toEqual({
      names: ['people', 'scheduling', 'booking', 'payment', 'notification', 'gateway'],
      flags: [],
    });
  });

  it.each([[['bookings']], [['booking', 'people']], [['--inspect']], [['booking', '--watch']]])(
    'reject %j with a sentence',
    (args) => expect(() => readDevArguments(args)).toThrow(/usage:|needs the name/),
  );
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
