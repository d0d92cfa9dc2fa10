import { expect, it } from '@jest/globals';
import { parsePlan } from './private-apt.ts';

it('adds up what is still to be downloaded', () => {
  const output = [
    'Reading package lists...',
    "'http://mirror.test/a.deb' a.deb 1500000 SHA256:1",
    "'http://mirror.test/b.deb' b.deb 600000 SHA256:2",
  ];
  expect(parsePlan(output.join('\n'))).toEqual({ packages: 2, megabytes: 2 });
});
