import { Injectable } from '@nestjs/common';
import { Schema } from 'mongoose';
import { Databases } from '../databases/databases.js';
import { asSystem } from '../guard/tenant-guard.js';
import { Repository } from '../repository/repository.js';

interface ErasedMember {
  /** The member's id. */
  _id: string;
  /** Its account. */
  readers: string[];
  erasedAt: Date;
}

const erasedSchema = new Schema<ErasedMember>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    erasedAt: { type: Date, required: true },
  },
  { versionKey: false },
);

const SCOPE = asSystem('work of any account may have begun before the erasure');

/**
 * Which members were erased, for work that read them before and stores data afterwards. An erasure marks the member here and
 * then removes its data; a write stores its data and then checks here: one of the two sees the other. Provided by the services
 * that store data of members.
 */
@Injectable()
export class ErasedMembers extends Repository<ErasedMember> {
  constructor(private readonly databases: Databases) {
    super(databases.collection('erased_members', erasedSchema));
  }

  /** Idempotent. */
  async mark(memberId: string, accountId: string): Promise<void> {
    await this.tryInsert(SCOPE, { _id: memberId, readers: [accountId], erasedAt: this.databases.clock.now() });
  }

  /** The members among these that were erased. */
  async findAmong(memberIds: readonly string[]): Promise<string[]> {
    return (await this.lookUpAll(SCOPE, memberIds)).map(({ _id }) => _id);
  }
}
