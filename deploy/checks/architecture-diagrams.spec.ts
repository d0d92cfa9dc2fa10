import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { EventType, Operation } from '@swim/contracts';
import { ROOT } from '../system/paths.mjs';
import { builtContracts, eventsOf, operationsOf, withDiagrams } from './architecture-diagrams.ts';

const contracts = await builtContracts();
const text = fs.readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');

describe('docs/architecture.md', () => {
  it('is what the contracts make of it', () => {
    expect(withDiagrams(text, contracts)).toBe(text);
  });

  it('differs once an operation has another caller, or a service consumes another event', () => {
    expect(text).not.toContain('scheduling -->|requests| people & booking & payment\n');
    const getPayment = { ...(contracts.getPayment as Operation), callers: ['gateway', 'scheduling'] };
    expect(withDiagrams(text, { ...contracts, getPayment })).toContain(
      'scheduling -->|requests| people & booking & payment\n',
    );
    const SUBSCRIPTIONS = { ...contracts.SUBSCRIPTIONS, payment: [contracts.bookingExpired as EventType] };
    expect(withDiagrams(text, { ...contracts, SUBSCRIPTIONS })).toContain('stream -.->|booking.expired| payment\n');
  });

  it('rejects a document without marks', () => {
    expect(() => withDiagrams('# How it is built\n', contracts)).toThrow('lacks the line');
  });
});

describe('the sequence diagrams', () => {
  const diagrams = [...text.matchAll(/```mermaid\nsequenceDiagram\n([\s\S]*?)```/g)].map(([, lines = '']) => lines);
  const messages = diagrams.flatMap((lines) => {
    const names = new Map([...lines.matchAll(/participant (\w+) as (\w+)/g)].map(([, short, name]) => [short, name]));
    return [...lines.matchAll(/^ *(\w+)(-\S*?[>)])(\w+): (.*)$/gm)].map(([, from = '', arrow, to = '', what = '']) => {
      return { from: names.get(from), arrow, to: names.get(to), what };
    });
  });

  it('name requests that the contracts allow', () => {
    const isRequest = ({ arrow, from, to, what }: (typeof messages)[number]) =>
      arrow === '->>' && from !== to && /^[a-z]+\.\w+$/.test(what);
    const allowed = operationsOf(contracts).flatMap(({ name, service, callers }) =>
      callers.map((from) => `${from} → ${service}: ${name}`),
    );
    const drawn = messages.filter(isRequest).map(({ from, to, what }) => `${from} → ${to}: ${what}`);
    expect(drawn.filter((each) => !allowed.includes(each))).toEqual([]);
    expect(drawn.length).toBeGreaterThan(2);
  });

  it('name events that their services emit', () => {
    const emitted = eventsOf(contracts).map(({ type, service }) => `${service}: ${type}`);
    const drawn = messages
      .filter(({ arrow }) => arrow === '-)')
      .flatMap(({ from, what }) => what.split(', ').map((type) => `${from}: ${type}`));
    expect(drawn.filter((each) => !emitted.includes(each))).toEqual([]);
    expect(drawn.length).toBeGreaterThan(2);
  });
});
