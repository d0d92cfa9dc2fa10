import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import {
  type AccessAction,
  type AccessEntry,
  ENVIRONMENTS,
  type Environment,
  listAccessLog,
  type Page,
  type ParsedOf,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import {
  Clock,
  currentEnvironment,
  inEnvironment,
  LOGGER,
  type Logger,
  newId,
  type RequestContext,
} from '@swim/platform';
import { requireOwnAccount } from '../../identity/accounts/accounts.service.js';
import type { AccessEntryDocument } from './access-entry.schema.js';
import { AccessLogRepository } from './access-log.repository.js';

const FLUSH_MS = 500;
const MOST_WAITING = 1_000;

/** A response that will contain data of one account's members. */
export interface Access {
  action: AccessAction;
  /** The account of the members. */
  ownerId: string;
  memberIds: string[];
  /** Whether the response contains medical notes. */
  medicalNotes: boolean;
}

/**
 * Records which key received data of which members. A response contains medical notes only once the entry is stored; entries
 * of other reads are stored in batches within half a second, and when the service stops: a killed process loses entries of
 * that half second only.
 */
@Injectable()
export class AccessLogService implements BeforeApplicationShutdown {
  private readonly waiting: Record<Environment, AccessEntryDocument[]> = { live: [], test: [] };
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly entries: AccessLogRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records an access before the response. Rejects a response with medical notes when its entry cannot be stored. */
  async record({ action, ownerId, memberIds, medicalNotes }: Access, context: RequestContext): Promise<void> {
    if (memberIds.length === 0) return;
    const { env, accountId, actingSchoolId = accountId, keyId } = context.principal;
    this.waiting[env].push({
      _id: newId('alog'),
      readers: [ownerId],
      memberIds,
      action,
      medicalNotes,
      accountId: actingSchoolId,
      keyId,
      network: context.network,
      requestId: context.requestId,
      createdAt: this.clock.now(),
    });
    if (medicalNotes || this.waiting[env].length > MOST_WAITING) await this.flush();
    else this.flushLater();
  }

  /** Accesses to members of the requesting account. */
  @Serve(listAccessLog)
  async list(input: ParsedOf<typeof listAccessLog>, context: RequestContext): Promise<Page<AccessEntry>> {
    requireOwnAccount(input.account_id, context);
    const { items, pagination } = await this.entries.list(context, input);
    return { items: items.map(accessEntryOf), pagination };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush().catch((error) => this.logger.error({ err: error }, 'access log not stored'));
    clearTimeout(this.timer);
  }

  private flushLater(): void {
    this.timer ??= setTimeout(() => {
      this.flush().catch((error) => this.logger.warn({ err: error }, 'access log not stored yet'));
    }, FLUSH_MS).unref();
  }

  /** Stores the queued entries. A call while a batch is being stored shares the next batch. */
  private flush(): Promise<void> {
    this.next ??= this.writing
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        this.writing = this.write();
        return this.writing;
      });
    return this.next;
  }

  private async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await Promise.all(
      ENVIRONMENTS.filter((env) => this.waiting[env].length > 0).map((env) =>
        inEnvironment(env, () => this.writeAll()),
      ),
    );
  }

  private async writeAll(): Promise<void> {
    const env = currentEnvironment();
    const batch = this.waiting[env].splice(0);
    try {
      await this.entries.insertAll(batch);
    } catch (error) {
      this.waiting[env].unshift(...batch);
      this.flushLater();
      throw error;
    }
  }
}

const accessEntryOf = (entry: AccessEntryDocument): AccessEntry => ({
  id: entry._id,
  action: entry.action,
  member_ids: entry.memberIds,
  medical_notes: entry.medicalNotes,
  account_id: entry.accountId,
  key_id: entry.keyId,
  network: entry.network,
  request_id: entry.requestId,
  created_at: entry.createdAt.toISOString(),
});
