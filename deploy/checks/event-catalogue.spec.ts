import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EVENT_CATALOGUE, EVENT_TYPES, eventOfType, type PublicEventType, typedEvent } from '@swim/contracts';
import { readJson } from '../system/files/json-file.ts';
import { ROOT } from '../system/paths.mjs';
import { builtContracts, eventsOf } from './architecture-diagrams.ts';

const examples = readJson(path.join(ROOT, 'docs/event-examples.json')) as Record<string, object>;
const contracts = await builtContracts();

function sourcesOf(service: string): string {
  const folder = path.join(ROOT, 'services', service, 'src');
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8').replace(/^import[\s\S]*?from '.*?';$/gm, ''))
    .join('\n');
}

describe('docs/event-examples.json', () => {
  it.each([...EVENT_TYPES])('has an example of %s that is as its schema describes it, and nothing beside', (type) => {
    const example = examples[type];
    expect(eventOfType(type).parse(example)).toEqual(example);
    expect(typedEvent.parse(example)).toEqual(example);
  });
});

describe('a schema of an event', () => {
  it('rejects the object of another type', () => {
    const wrong = { ...examples['booking.created'], type: 'session.created' };
    expect(typedEvent.safeParse(wrong).success).toBe(false);
  });

  it('names no person and has no free text', () => {
    const personal = [
      'name',
      'email',
      'phone',
      'notes',
      'medical_notes',
      'emergency_contact',
      'date_of_birth',
      'comment',
      'description',
    ];
    for (const [type, { object }] of Object.entries(EVENT_CATALOGUE))
      expect([type, Object.keys(object.shape).filter((field) => personal.includes(field))]).toEqual([type, []]);
  });
});

describe('a type of event', () => {
  // Ping has no declaration of its own, because the webhook service makes it on request.
  const PING: PublicEventType = 'ping';
  const declared = new Map(eventsOf(contracts).map((each) => [each.type, each]));
  const nameOf = new Map(Object.entries(contracts).map(([name, value]) => [value, name]));

  it.each(EVENT_TYPES.filter((type) => declared.has(type)))('%s is emitted by the service that declares it', (type) => {
    const { service } = declared.get(type)!;
    expect(sourcesOf(service)).toMatch(new RegExp(`\\b${nameOf.get(declared.get(type))}\\b`));
  });

  it('ping is made by notification', () => {
    expect(sourcesOf('notification')).toContain(`type: '${PING}'`);
  });

  it('has a declaration, except for ping', () => {
    expect(EVENT_TYPES.filter((type) => !declared.has(type))).toEqual([PING]);
  });
});
