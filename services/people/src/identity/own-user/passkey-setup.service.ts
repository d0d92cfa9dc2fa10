import { Injectable } from '@nestjs/common';
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  type OutputOf,
  type Page,
  type ParsedOf,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { PasskeysService } from '../second-factors/passkeys.service.js';
import { UsersService } from '../users/users.service.js';
import { ProtectedChangesService } from './protected-changes.service.js';

/** Sets up the passkeys of the signed-in user. */
@Injectable()
export class PasskeySetupService {
  constructor(
    private readonly users: UsersService,
    private readonly passkeys: PasskeysService,
    private readonly changes: ProtectedChangesService,
  ) {}

  @Serve(beginPasskey)
  async begin(_: ParsedOf<typeof beginPasskey>, context: RequestContext): Promise<OutputOf<typeof beginPasskey>> {
    const user = await this.users.getOwn(context);
    return this.passkeys.begin(user, (await this.users.profileOf(user)).email);
  }

  @Serve(addPasskey)
  async add(
    { session, name, response }: ParsedOf<typeof addPasskey>,
    context: RequestContext,
  ): Promise<OutputOf<typeof addPasskey>> {
    const user = await this.changes.countTry(context);
    const { passkey, recoveryCodes } = await this.passkeys.add(user, { name, response, sessionId: session.id });
    const change = { action: 'passkey_added', session, object: passkey.id } as const;
    return {
      cookies: await this.changes.finish(user, change, context),
      data: { passkey, recovery_codes: recoveryCodes },
    };
  }

  /** All at once: a user has few passkeys. */
  @Serve(listPasskeys)
  async list(_: ParsedOf<typeof listPasskeys>, context: RequestContext): Promise<Page<Passkey>> {
    const items = await this.passkeys.list(await this.users.getOwn(context));
    return { items, pagination: { has_more: false, next_cursor: null, total: items.length } };
  }

  @Serve(renamePasskey)
  async rename({ passkey_id: id, name }: ParsedOf<typeof renamePasskey>, context: RequestContext): Promise<Passkey> {
    return this.passkeys.rename(await this.users.getOwn(context), id, name);
  }

  @Serve(removePasskey)
  async remove(
    { session, passkey_id: id }: ParsedOf<typeof removePasskey>,
    context: RequestContext,
  ): Promise<OutputOf<typeof removePasskey>> {
    const user = await this.users.getOwn(context);
    await this.passkeys.remove(user, id, session.id);
    const change = { action: 'passkey_removed', session, object: id } as const;
    return { cookies: await this.changes.finish(user, change, context), data: {} };
  }
}
