import { describe, expect, it } from '@jest/globals';
import { masked, outcomeOf, plainName, replyCode, retryDelayMs } from './mail.rules.js';

const MINUTE_MS = 60_000;

describe('a failed try', () => {
  it.each([
    ['RCPT TO', 550, 'bounced'],
    ['DATA', 554, 'bounced'],
    ['RCPT TO', 450, 'retried'],
    ['DATA', 451, 'retried'],
    ['MAIL FROM', 550, 'retried'],
    ['AUTH', 535, 'retried'],
    ['EHLO', 554, 'retried'],
    ['CONN', undefined, 'retried'],
  ])('at %s with %s is %s', (command, responseCode, kind) => {
    expect(outcomeOf({ command, responseCode }).kind).toBe(kind);
  });

  it('is repeated after one minute, then later, and every four hours at last', () => {
    expect(retryDelayMs(1, 0.5)).toBe(MINUTE_MS);
    expect(retryDelayMs(2, 0.5)).toBe(5 * MINUTE_MS);
    expect(retryDelayMs(7, 0.5)).toBe(240 * MINUTE_MS);
    expect(retryDelayMs(50, 0.5)).toBe(240 * MINUTE_MS);
    expect(retryDelayMs(1, 0)).toBe(0.9 * MINUTE_MS);
    expect(retryDelayMs(1, 1)).toBe(1.1 * MINUTE_MS);
  });
});

describe('a reply', () => {
  it('is kept by its codes only', () => {
    expect(replyCode('550 5.1.1 <mia@example.test> unknown')).toBe('550 5.1.1');
    expect(replyCode('250-2.0.0 OK')).toBe('250 2.0.0');
    expect(replyCode('421 mia@example.test')).toBe('421');
    expect(replyCode('hello')).toBeNull();
    expect(replyCode(undefined)).toBeNull();
  });
});

describe('an address', () => {
  it('is shown by its first character and its domain', () => {
    expect(masked('mia@example.test')).toBe('m•••@example.test');
    expect(masked('"a@b"@example.test')).toBe('"•••@example.test');
  });
});

describe('the name of an account in a mail to a stranger', () => {
  it.each([
    ['Wave Swim School', 'Wave Swim School'],
    ["St. Mary's & Söhne (Köln), e.V.", "St. Mary's & Söhne (Köln), e V."],
    ['TSV 1860 München', 'TSV 1860 München'],
    ['Pay at evil.example/pay', 'Pay at evil example pay'],
    ['https://evil.example?a=b', 'https evil example a b'],
    ['boss@evil.example', 'boss evil example'],
    ['evil。example and evil．example', 'evil example and evil example'],
    ['evil.\u200bexample', 'evil example'],
    ['10.0.0.1', '10 0 0 1'],
    ['Call +49 (221) 123-4567 now', 'Call now'],
    ['☎ 0800.123.45.67', '–'],
  ])('%j is %j', (name, plain) => {
    expect(plainName(name)).toBe(plain);
  });

  it('has at most 60 characters', () => {
    expect(plainName('ab'.repeat(30))).toBe('ab'.repeat(30));
    expect([...plainName('𝒜b '.repeat(100))]).toHaveLength(60);
  });
});
