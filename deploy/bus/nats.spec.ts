import { expect, it } from '@jest/globals';
import { isRecent } from './nats.ts';

it.each([
  ['nats-server: v2.14.0', true],
  ['nats-server: v2.12.0-RC.1', true],
  ['nats-server: v3.0.0', true],
  ['nats-server: v2.9.25', false],
  ['nats-server: v1.20.0', false],
  ['', false],
])('%s is new enough: %s', (text, answer) => expect(isRecent(text)).toBe(answer));
