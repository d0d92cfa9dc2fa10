import { Injectable } from '@nestjs/common';
import { type ImportedRow, importedRow, validationErrorOf } from '@swim/contracts';
import { derivedId } from '@swim/platform';
import { actingAs } from '../../identity/accounts/acting.service.js';
import { MembersService } from '../members/members.service.js';
import { allEnded } from './all-ended.js';
import { FamilyBooks } from './family-book.service.js';
import { FamilyRows } from './family-rows.service.js';
import type { ImportCounts } from './import.schema.js';
import { Outcomes, rowErrorsOf } from './outcomes.js';
import type { Job, PlacedRow, RowWork } from './row-work.js';

const AT_ONCE = 8;

/** The account of the family that a row of an import makes. */
export const familyIdOf = (importId: string, n: number): string => derivedId('acct', importId, String(n));

/** Processes rows of imports: the rows of a family one after the other, families side by side. */
@Injectable()
export class RowsService {
  constructor(
    private readonly books: FamilyBooks,
    private readonly members: MembersService,
    private readonly families: FamilyRows,
  ) {}

  /** Rows that were processed before, by a run that was interrupted, come out in the same way. */
  async process(rows: readonly object[], job: Job): Promise<ImportCounts> {
    const outcomes = new Outcomes();
    const sound = await this.validate(rows, job, outcomes);
    const { accountId: schoolId } = job.context.principal;
    await this.books.read(
      job.book,
      schoolId,
      sound.map(({ row }) => row),
    );
    const placed = sound.flatMap((each) => placedIn(each, job, outcomes) ?? []);
    await this.books.readMembers(
      job.book,
      placed.map(({ family }) => family),
    );
    const work = placed.flatMap((each) => workOf(each, job, outcomes) ?? []);
    const groups = [...Map.groupBy(work, ({ family }) => family)].values();
    const performRest = async () => {
      for (const [family, items] of groups) await this.families.perform(family, items, job, outcomes);
    };
    await allEnded(Array.from({ length: AT_ONCE }, performRest));
    return outcomes.counts;
  }

  private async validate(rows: readonly object[], { from, importId, context }: Job, outcomes: Outcomes) {
    const accountId = derivedId('acct', importId, 'validation');
    const acting = { ...context, dryRun: true, principal: actingAs(accountId, context.principal) };
    const checked = rows.map(async (given, index) => {
      const n = from + index;
      const parsed = importedRow.safeParse(given);
      if (!parsed.success) return outcomes.fail(n, rowErrorsOf(validationErrorOf(parsed.error, importedRow)));
      const { family: _, external_id: __, ...member } = parsed.data;
      const { swimming_level = 'beginner', ...facts } = member;
      const input = { account_id: accountId, swimming_level, ...facts };
      try {
        await this.members.create(input, acting);
        return { n, row: parsed.data };
      } catch (error) {
        return outcomes.failBy(n, error);
      }
    });
    return (await Promise.all(checked)).filter((each) => each !== null);
  }
}

/** A row with its family, which is a new one where none matches; null for one that fails. */
function placedIn(
  { n, row }: { n: number; row: ImportedRow },
  { book, values, importId }: Job,
  outcomes: Outcomes,
): PlacedRow | null {
  const { external_id: externalId, ...given } = row.family;
  const found = book.match(row.family);
  if (found === 'ambiguous') return outcomes.fail(n, [{ field: 'family.email', reason: 'ambiguous' }]);
  const family = found ?? {
    accountId: familyIdOf(importId, n),
    externalId: externalId ?? null,
    ...{ name: given.name, email: given.email, locale: given.locale, storedExternalId: null },
    ...{ isOwn: true, isClaimed: false, isNew: true, connected: [], members: [] },
  };
  if (!found) book.add(family);
  if (family.isClaimed) return { n, row, family };
  const contradiction = values.contradictionOf(family.accountId, row.family);
  if (contradiction) return outcomes.fail(n, [{ field: `family.${contradiction}`, reason: 'contradictory' }]);
  if (externalId !== undefined) book.name(family, externalId);
  return { n, row, family };
}

/** What is to be done for a row; null for one that fails, or changes nothing. */
function workOf(placed: PlacedRow, { book, values, importId }: Job, outcomes: Outcomes): RowWork | null {
  const { n, row, family } = placed;
  const field = row.external_id === undefined ? 'name' : 'external_id';
  const found = book.matchMember(row, family);
  if (found === 'ambiguous') return outcomes.fail(n, [{ field, reason: 'ambiguous' }]);
  if (family.isClaimed && !found) return outcomes.fail(n, [{ field: 'family', reason: 'claimed' }]);
  if (family.isClaimed) return outcomes.count('unchanged');
  const own = derivedId('mem', importId, String(n));
  const memberId = found?.id ?? own;
  if (!found)
    book.addMember(family, {
      id: own,
      name: row.name,
      dateOfBirth: row.date_of_birth,
      externalId: row.external_id ?? null,
      isConnected: true,
    });
  const compared = values.compare(memberId, row);
  if (compared === 'contradictory') return outcomes.fail(n, [{ field, reason: compared }]);
  if (compared === 'repeated') return outcomes.count('unchanged');
  const isNamed = found?.externalId === null && row.external_id !== undefined;
  if (isNamed) found.externalId = row.external_id!;
  // A member that an interrupted run has made is made again: what was not stored then is stored now.
  return {
    ...placed,
    memberId,
    updatedAt: found?.updatedAt,
    isAdopted: isNamed || found?.isConnected === false,
    kind: !found || found.id === own ? 'create' : 'update',
  };
}
