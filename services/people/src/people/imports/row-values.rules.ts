import type { ImportedRow } from '@swim/contracts';

/** The values of rows about families and members, as tokens: later rows of the import are compared with them. */
export interface RowTokens {
  families: { id: string; fields: Record<string, string> }[];
  members: { id: string; token: string }[];
}

type Family = ImportedRow['family'];

/** The values of earlier rows of an import about families and members: a later row may repeat them, and not contradict them. */
export class RowValues {
  private readonly families = new Map<string, Record<string, string>>();
  private readonly members = new Map<string, string>();
  private fresh: RowTokens = { families: [], members: [] };

  constructor(private readonly tokenOf: (text: string) => string) {}

  /** Adds the values of an earlier part. */
  recall({ families, members }: RowTokens): void {
    for (const { id, fields } of families) this.families.set(id, { ...this.families.get(id), ...fields });
    for (const { id, token } of members) this.members.set(id, token);
  }

  /** The values that were added since this was last called. */
  takeFresh(): RowTokens {
    const { fresh } = this;
    this.fresh = { families: [], members: [] };
    return fresh;
  }

  /** The field in which a row contradicts an earlier one about a family; null where none does: then it is remembered. */
  contradictionOf(id: string, family: Family): keyof Family | null {
    const known = this.families.get(id) ?? {};
    const given = Object.entries(family).filter(([, value]) => value !== undefined) as [keyof Family, string][];
    const fields = Object.fromEntries(given.map(([field, value]) => [field, this.tokenOf(`${field}|${value}`)]));
    const other = given.find(([field]) => known[field] !== undefined && known[field] !== fields[field]);
    if (other) return other[0];
    if (given.some(([field]) => known[field] === undefined)) {
      this.families.set(id, { ...known, ...fields });
      this.fresh.families.push({ id, fields });
    }
    return null;
  }

  /** Whether a row is the first one about a member, repeats it, or contradicts it; the first one is remembered. */
  compare(id: string, { family: _, ...row }: ImportedRow): 'first' | 'repeated' | 'contradictory' {
    const token = this.tokenOf(JSON.stringify(row));
    const known = this.members.get(id);
    if (known !== undefined) return known === token ? 'repeated' : 'contradictory';
    this.members.set(id, token);
    this.fresh.members.push({ id, token });
    return 'first';
  }
}
