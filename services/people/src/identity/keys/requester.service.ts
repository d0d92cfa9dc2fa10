import { Injectable } from '@nestjs/common';
import { SCOPES_OF_ROLE } from '@swim/contracts';
import { AppError, type RequestContext } from '@swim/platform';
import { UsersService } from '../users/users.service.js';
import { AccessRepository } from './access.repository.js';
import { endedKeyReason, type KeyTerms } from './key.rules.js';
import type { KeyDocument } from './key.schema.js';

/** The rights of a request as they are now: those of its key, or of its user's role. */
export interface Requester extends KeyTerms {
  /** Null for a user. */
  key: KeyDocument | null;
  /** The user, or the one who has made the key. */
  madeBy: string | null;
}

/** Reads who manages keys, since the gateway's cached verdict may be a minute old. */
@Injectable()
export class RequesterService {
  constructor(
    private readonly keys: AccessRepository,
    private readonly users: UsersService,
  ) {}

  /** Throws the reason for which the key or session has ended. */
  async get(context: RequestContext): Promise<Requester> {
    if (context.principal.userId !== undefined) {
      const { _id: madeBy, role } = await this.users.getOwn(context);
      return { scopes: SCOPES_OF_ROLE[role], ipAllowlist: [], expiresAt: null, key: null, madeBy };
    }
    const key = await this.keys.findOwned(context, context.principal.keyId);
    const rejection = key ? endedKeyReason(key, this.keys.now()) : 'unknown_key';
    if (rejection) throw new AppError(rejection);
    const { scopes, ipAllowlist, expiresAt, madeBy } = key!;
    return { scopes, ipAllowlist, expiresAt, key, madeBy };
  }

  /** As `get`; null when the key or session has ended. */
  find(context: RequestContext): Promise<Requester | null> {
    return this.get(context).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'AUTHENTICATION_ERROR') return null;
      throw error;
    });
  }
}
