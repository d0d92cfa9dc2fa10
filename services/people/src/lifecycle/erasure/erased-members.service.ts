import { Injectable } from '@nestjs/common';
import { type BusEvent, type ErasedMember, memberErased } from '@swim/contracts';
import { On } from '@swim/messaging';
import { Idempotency } from '@swim/mongo';
import { PrivacyService } from '../../identity/privacy/privacy.service.js';
import { ConnectionsErasure } from '../../people/connections/connections-erasure.service.js';
import { ErasuresRepository } from './erasures.repository.js';

/** Lists erased members for backups, and erases what is left of them. */
@Injectable()
export class ErasedMembersService {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly privacy: PrivacyService,
    private readonly idempotency: Idempotency,
    private readonly connections: ConnectionsErasure,
  ) {}

  /** Erases what is left of an erased member: its key, and stored idempotent answers that contain it. */
  @On(memberErased)
  async consume({ object, audience, occurredAt }: BusEvent<ErasedMember>): Promise<void> {
    const erasedAt = new Date(object.erased_at);
    await this.erasures.list({ _id: object.id, accountId: object.account_id, erasedAt });
    // The request that erased it may have crashed before this, and another may have stored an answer after it.
    await this.privacy.forget(object.id);
    await this.connections.forgetMember(object.account_id, object.id);
    await this.idempotency.forget({ memberId: object.id, accountIds: audience, erasedAt: new Date(occurredAt) });
  }
}
