import { describe, expect, it } from '@jest/globals';
import { findIndexOffences } from './index-table.ts';

const path = 'services/people/src/members/member.schema.ts';
const text = "memberSchema.index({ accountId: 1, 'a.b': -1 });\nindexDue(memberSchema, 'dueAt');\n";
const row = (fields: string, query = 'a list') => `- \`${fields}\`: ${query}\n`;
const offences = (rows: string) => findIndexOffences([{ path, text }], `\`${path}\`\n\n${rows}`);

describe('the list of indexes', () => {
  it('has a row with a query for each declared index', () => {
    expect(offences(row('accountId, a.b') + row('dueAt'))).toEqual([]);
    expect(offences(row('accountId, a.b'))).toEqual([expect.stringContaining('member.schema.ts dueAt is an index')]);
    expect(offences(row('accountId, a.b') + row('dueAt', ''))).toHaveLength(1);
  });

  it('has no row for an index that is not declared', () => {
    const all = row('accountId, a.b') + row('dueAt') + row('gone');
    expect(offences(all)).toEqual([expect.stringContaining('member.schema.ts gone, which no schema declares')]);
  });

  it('ignores tests', () => {
    expect(findIndexOffences([{ path: 'libs/mongo/src/a.spec.ts', text }], '')).toEqual([]);
  });
});
