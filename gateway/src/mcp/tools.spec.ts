import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../openapi/document.js';
import { EVERYDAY } from './everyday-tools.js';
import { toolsOf } from './tools.js';

const tools = toolsOf(openApiDocument());
const namesOf = ({ inputSchema }: (typeof tools)[number]) => Object.keys(inputSchema.properties as object);

describe('the tools', () => {
  it('take an idempotency key and a dry run where they write, also where they remove', () => {
    expect(tools.some(({ endpoint }) => endpoint.method === 'DELETE')).toBe(true);
    for (const tool of tools) {
      const options = namesOf(tool).filter((name) => name === 'dry_run' || name === 'idempotency_key');
      expect([tool.name, options]).toEqual([
        tool.name,
        tool.annotations.readOnlyHint ? [] : ['dry_run', 'idempotency_key'],
      ]);
    }
  });

  it('take the fields of the body beside these', () => {
    const create = tools.find(({ name }) => name === 'create_booking')!;
    expect(create.inputSchema.required).toEqual(['member_ids']);
    expect(namesOf(create)).toEqual(
      expect.arrayContaining(['instructor_id', 'sessions', 'lesson_ids', 'dry_run', 'idempotency_key']),
    );
  });

  it('of every day exist, each once, and say nothing of scopes, patterns or references', () => {
    const everyday = tools.filter(({ endpoint }) => EVERYDAY.has(endpoint.operation));
    expect(everyday).toHaveLength(EVERYDAY.size);
    expect(JSON.stringify(everyday)).not.toMatch(/Needs the scope|"pattern":"|"\$ref"/);
    expect(everyday.filter(({ description }) => description === '')).toEqual([]);
  });

  it('that pay, close or erase for good require a confirmation, and say so', () => {
    const confirmed = tools.filter((tool) => namesOf(tool).includes('confirm'));
    expect(confirmed.map(({ name }) => name).sort()).toEqual([
      'capture_payment',
      'close_class',
      'create_closure',
      'create_payment',
      'create_refund',
      'erase_account',
      'erase_member',
    ]);
  });
});
