import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { MOST_RECIPIENTS } from '@swim/contracts';
import { PeriodicPerEnvironment } from '@swim/mongo';
import { Clock, currentEnvironment, gauge, LOGGER, type Logger, sharedClock } from '@swim/platform';
import type { Config } from '../config.js';
import { masked, type Outcome, retryDelayMs } from './mail/mail.rules.js';
import { SmtpTransport } from './mail/smtp.adapter.js';
import type { MessageDocument } from './message.schema.js';
import { type MessageResult, MessagesRepository } from './messages.repository.js';
import { messagesTotal } from './new-messages.service.js';
import { NOTICE_WITHIN_MS } from './notice.rules.js';
import { type Composed, MessageComposerService } from './writing/message-composer.service.js';

/** Age of the oldest e-mail that is due, in seconds. */
const messageBacklogAge = gauge({
  name: 'swim_message_backlog_age_seconds',
  help: 'Time since the oldest waiting e-mail became due',
  labelNames: ['env'],
});

/** E-mails that are due and not sent, of all replicas. */
const messageBacklog = gauge({
  name: 'swim_message_backlog',
  help: 'E-mails that wait for a free replica or the mail server',
  labelNames: ['env'],
});

const SWEEP_MS = 1_000;
const MEASURE_MS = 15_000;
/** A mail is sent only if the lease lasts longer than that may take. */
const LEAST_LEASE_MS = 60_000;
const AT_ONCE = 4;
const KEPT_MS = 30 * 86_400_000;
const REMOVED_AT_ONCE = 500;

/**
 * Sends the messages that are due. Any number of replicas share them: each message is claimed under a lease before it is sent,
 * and marked afterwards. A mail is repeated only when a crash falls between the answer of the mail server and the mark, and then
 * has the same Message-ID.
 */
@Injectable()
export class MessageWorkerService implements BeforeApplicationShutdown {
  private isEnding = false;

  constructor(
    private readonly messages: MessagesRepository,
    private readonly composer: MessageComposerService,
    private readonly transport: SmtpTransport,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  beforeApplicationShutdown(): void {
    this.isEnding = true;
  }

  /** Sends what is due; a flood in the sandbox does not delay live messages. */
  @PeriodicPerEnvironment('messages', SWEEP_MS)
  async sendAll(): Promise<void> {
    while (!this.isEnding && (await this.sendDue()) === MOST_RECIPIENTS);
  }

  /** Measures the backlog of both environments. */
  @PeriodicPerEnvironment('message backlog', MEASURE_MS)
  async measure(): Promise<void> {
    const env = currentEnvironment();
    const { count, oldest } = await this.messages.due.backlog();
    messageBacklog.set({ env }, count);
    messageBacklogAge.set({ env }, oldest ? (sharedClock.nowMs() - oldest.getTime()) / 1_000 : 0);
  }

  /** Removes messages after 30 days. */
  @PeriodicPerEnvironment('message retention', ({ PURGE_INTERVAL_SECONDS }: Config) => PURGE_INTERVAL_SECONDS * 1_000)
  async removeOld(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    let count: number;
    do count = await this.messages.removeOlder(before, REMOVED_AT_ONCE);
    while (count === REMOVED_AT_ONCE);
  }

  private async sendDue(): Promise<number> {
    const { due } = this.messages;
    const found = await due.findDue(MOST_RECIPIENTS);
    const taken = await Promise.all(found.map((message) => due.take(message)));
    const claimed = taken.filter((message) => message !== null);
    const [late, current] = [claimed.filter(isLate), claimed.filter((message) => !isLate(message))];
    for (const message of late) await this.end(message, 'failed', 'not_accepted_in_time');
    const composed = current.length > 0 ? await this.compose(current) : null;
    if (!composed) return 0;
    const rest = current.entries();
    let isReachable = true;
    const work = async () => {
      for (const [index, message] of rest) {
        // Without an answer of the mail server the rest waits, too, and is not tried.
        if (isReachable) isReachable = await this.handle(message, composed[index]!);
        else await this.postpone(message, {});
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return isReachable ? found.length : 0;
  }

  // While people cannot be reached, the messages wait; they are not tried.
  private async compose(messages: readonly MessageDocument[]): Promise<Composed[] | null> {
    if (this.transport.isConfigured) {
      try {
        return await this.composer.composeAll(messages, this.clock.now());
      } catch (error) {
        this.logger.warn({ err: error, count: messages.length }, 'messages not written yet');
      }
    }
    for (const message of messages) await this.postpone(message, {});
    return null;
  }

  /** Returns whether the mail server could be reached, as far as that is known. */
  private async handle(message: MessageDocument, composed: Composed): Promise<boolean> {
    if ('error' in composed) {
      this.logger.error({ err: composed.error, objectId: message._id }, 'message could not be written');
      await this.postpone(message, {});
      return true;
    }
    if ('reason' in composed) {
      await this.end(message, 'skipped', composed.reason);
      return true;
    }
    // A replica that was paused, or a slow mail server: others take over what is left.
    if (message.dueAt!.getTime() - sharedClock.nowMs() < LEAST_LEASE_MS || this.isEnding) {
      await this.messages.due.postpone(message, 0);
      return true;
    }
    const outcome = await this.transport.send(composed.mail);
    await this.recordOutcome(message, composed.mail.to, outcome);
    return outcome.kind !== 'retried' || outcome.response !== null;
  }

  private async recordOutcome(message: MessageDocument, address: string, { kind, response }: Outcome): Promise<void> {
    messagesTotal.inc({ outcome: kind });
    const attempts = message.attempts + 1;
    const tried = { attempts, recipient: masked(address), lastResponse: response };
    if (kind === 'retried') return this.postpone(message, tried);
    const now = sharedClock.now();
    const ended: MessageResult =
      kind === 'sent' ? { status: 'sent', sentAt: now } : { status: 'bounced', reason: 'rejected' };
    await this.messages.due.end(message, { ...tried, ...ended, updatedAt: now });
  }

  private async postpone(message: MessageDocument, result: MessageResult): Promise<void> {
    const delayMs = retryDelayMs(result.attempts ?? 1, Math.random());
    await this.messages.due.postpone(message, delayMs, {
      ...result,
      updatedAt: sharedClock.now(),
    });
  }

  private async end(
    message: MessageDocument,
    status: 'skipped' | 'failed',
    reason: NonNullable<MessageDocument['reason']>,
  ): Promise<void> {
    messagesTotal.inc({ outcome: status });
    await this.messages.due.end(message, { status, reason, updatedAt: sharedClock.now() });
  }
}

/** Whether it was not sent within a day. */
const isLate = ({ createdAt }: MessageDocument): boolean =>
  createdAt.getTime() + NOTICE_WITHIN_MS < sharedClock.nowMs();
