import { Inject, Injectable } from '@nestjs/common';
import { type Environment, type issueEmailConfirmation, type OutputOf, sendEmailConfirmation } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { WhenDue } from '@swim/mongo';
import {
  AppError,
  Clock,
  CONFIG,
  currentEnvironment,
  inEnvironment,
  type RequestContext,
  SignedTokens,
  systemContext,
} from '@swim/platform';
import type { Config } from '../../config.js';
import { AccountsService } from '../../identity/accounts/accounts.service.js';
import type { InstructorDocument } from './instructor.schema.js';
import { InstructorsRepository } from './instructors.repository.js';

const HOUR_MS = 3_600_000;
const VALID_MS = 72 * HOUR_MS;
// In the sandbox, mails to instructors go to the school.
const CONFIRMING = 'live';

/** A confirmation that a write begins; empty when it begins none. */
export type Confirmation = Pick<InstructorDocument, 'emailConfirmation' | 'confirmationDueAt'>;

/**
 * An instructor gets mails once the owner of the address has opened a link that is sent to it. Another address has another link,
 * and ends the one before.
 */
@Injectable()
export class InstructorEmailsService {
  private readonly tokens: SignedTokens;

  constructor(
    private readonly instructors: InstructorsRepository,
    private readonly accounts: AccountsService,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.tokens = new SignedTokens('instructor email confirmation', config);
  }

  /** The confirmation of a new address. */
  begun(context: RequestContext): Confirmation {
    if (context.principal.env !== CONFIRMING) return {};
    return { emailConfirmation: { id: context.newId('req') }, confirmationDueAt: this.clock.now() };
  }

  /** The confirmation that a requested address begins: another one does, and the same one where it is not confirmed in time. */
  confirmationAfter(now: InstructorDocument, email: string | undefined, context: RequestContext): Confirmation {
    if (email === undefined) return {};
    return email !== now.email || this.hasExpired(now) ? this.begun(context) : {};
  }

  /** The address and the token of its link; null when it is no longer to be confirmed. */
  async issue(
    accountId: string,
    { instructorId, confirmationId }: { instructorId: string; confirmationId: string },
  ): Promise<OutputOf<typeof issueEmailConfirmation>> {
    const [[instructor], [school]] = await Promise.all([
      this.instructors.findAll([instructorId]),
      this.accounts.findReachable([accountId]),
    ]);
    if (instructor?.emailConfirmation?.id !== confirmationId || !school || this.hasExpired(instructor)) return null;
    const token = this.tokens.sign(currentEnvironment(), instructorId, confirmationId);
    return { email: instructor.email, token, locale: school.locale, schoolName: school.name };
  }

  /** Confirms the address of a link; false for the token of another kind. Throws `resource_not_found` when it is valid no longer. */
  async confirm(token: string): Promise<boolean> {
    const [env, instructorId, id] = this.tokens.read(token) ?? [];
    if (!env || !instructorId || !id) return false;
    await inEnvironment(env as Environment, () => this.confirmPending(instructorId, id));
    return true;
  }

  private async confirmPending(instructorId: string, id: string): Promise<void> {
    const [instructor] = await this.instructors.findAll([instructorId]);
    const confirmation = instructor?.emailConfirmation;
    if (!instructor || confirmation?.id !== id || this.hasExpired(instructor)) throw new AppError('resource_not_found');
    if (confirmation.confirmedAt) return;
    if (!(await this.instructors.confirmEmail(instructor, this.clock.now()))) throw new AppError('resource_not_found');
  }

  /** Requests the messages with links that are to be sent: what a crash left behind, too. */
  @WhenDue(({ instructors }: InstructorEmailsService) => instructors.unconfirmed)
  async send(instructor: InstructorDocument): Promise<void> {
    const { _id: instructorId, schoolId: accountId, emailConfirmation } = instructor;
    const { id: confirmationId } = emailConfirmation!;
    if (!(await this.accounts.takeInstructorLink(accountId, confirmationId, this.clock.now())))
      return void (await this.instructors.unconfirmed.postpone(instructor, HOUR_MS));
    const input = { accountId, instructorId, confirmationId };
    await this.rpc.call(sendEmailConfirmation, input, systemContext(CONFIRMING, accountId));
    await this.instructors.markConfirmationSent(instructor, this.clock.now());
  }

  /** Whether the link was sent, and not opened while it was valid. */
  private hasExpired({ emailConfirmation }: InstructorDocument): boolean {
    const { sentAt, confirmedAt } = emailConfirmation ?? {};
    return sentAt !== undefined && !confirmedAt && sentAt.getTime() + VALID_MS <= this.clock.now().getTime();
  }
}
