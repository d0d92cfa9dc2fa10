import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { EventType, Operation } from '@swim/contracts';
import { ROOT } from '../system/paths.mjs';
import { builtContracts, eventsOf, generatedDocuments, operationsOf } from './architecture-diagrams.ts';

const contracts = await builtContracts();
const text = fs.readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');

describe('a document with a part that is made of the contracts', () => {
  it('is what they make of it', () => {
    const documents = generatedDocuments(contracts);
    expect(documents.filter(({ file, text }) => read(file) !== text)).toEqual([]);
    expect(documents.map(({ file }) => file)).toContain('services/booking/README.md');
  });

  it('differs once an operation has another caller, or a service consumes another event', () => {
    const getPayment = { ...(contracts.getPayment as Operation), callers: ['gateway', 'scheduling'] };
    const SUBSCRIPTIONS = { ...contracts.SUBSCRIPTIONS, payment: [contracts.bookingExpired as EventType] };
    const changed = generatedDocuments({ ...contracts, getPayment, SUBSCRIPTIONS } as typeof contracts);
    const added = changed.flatMap(({ file, text }) =>
      text.split('\n').flatMap((line) => (read(file).includes(`${line}\n`) ? [] : [`${file}: ${line.trim()}`])),
    );
    expect(added).toEqual([
      'docs/architecture.md: scheduling -->|requests| people & booking & payment',
      'docs/architecture.md: stream -.->|booking.expired| payment',
      'services/payment/README.md: | serves `scheduling` | get |',
      'services/payment/README.md: | consumes | booking.expired |',
    ]);
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
