import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { type DataMigration, DataMigrations, type MigratedBatch } from '@swim/mongo';
import { isFormer, type Place, PrivacyService, type Vault } from '../privacy/privacy.service.js';
import type { MemberDocument } from './member.schema.js';
import { MembersRepository, type SealedFields } from './members.repository.js';

const BATCH = 100;

/** Re-encrypts texts that a former release encrypted with the account's key, with the keys of its members. */
@Injectable()
export class MemberTextsMigration implements DataMigration {
  readonly name = '0001-members-under-keys-of-their-own';

  constructor(
    private readonly members: MembersRepository,
    private readonly privacy: PrivacyService,
    migrations: DataMigrations,
  ) {
    migrations.register(this);
  }

  async migrate(env: Environment, after: string): Promise<MigratedBatch> {
    const found = await this.members.findAllAfter(env, after, BATCH);
    const former = found.filter(hasFormer);
    for (const member of former) {
      const vault = await this.privacy.writableVaultOf(env, { id: member._id, accountId: member.accountId }, false);
      await this.members.replaceSealed(env, member, sealedAnew(member, vault));
    }
    return { last: found.at(-1)?._id ?? null, changed: former.length };
  }
}

const answerIn = (data: string): string => JSON.parse(data) as string;

const hasFormer = ({ medicalNotes, emergencyContact, progressNotes = [], ops = [] }: MemberDocument): boolean =>
  [
    medicalNotes,
    emergencyContact,
    ...progressNotes.map(({ sealed }) => sealed),
    ...ops.map(({ data }) => answerIn(data)),
  ].some(isFormer);

function sealedAnew(member: MemberDocument, vault: Vault): SealedFields {
  const { _id: memberId, medicalNotes, emergencyContact, progressNotes, ops = [] } = member;
  // A text that cannot be decrypted, because its account's key is destroyed, is dropped.
  const repeated = (sealed: string | null, place: Omit<Place, 'memberId'>) => {
    if (!isFormer(sealed)) return sealed;
    const text = vault.open(sealed, { ...place, memberId });
    return text === null ? null : vault.seal(text, { ...place, memberId });
  };
  const notes = progressNotes?.flatMap((note, index) => {
    const id = note.id ?? `former-${index}`;
    const sealed = repeated(note.sealed, { field: 'progress_note', id });
    return sealed === null ? [] : [{ ...note, id, sealed }];
  });
  const answers = ops.flatMap(({ id, data }) => {
    const sealed = repeated(answerIn(data), { field: 'answer' });
    return sealed === null ? [] : [{ id, data: JSON.stringify(sealed) }];
  });
  return {
    medicalNotes: repeated(medicalNotes, { field: 'medical_notes' }),
    emergencyContact: repeated(emergencyContact, { field: 'emergency_contact' }),
    ops: answers,
    ...(notes && { progressNotes: notes }),
  };
}
